import type { ServerTexts } from '../en/server.ts'

const dayIn = (date: string) => new Date(date).toLocaleDateString('es-MX', { dateStyle: 'long', timeZone: 'UTC' })

export const server: ServerTexts = {
  needsScript: 'El panel de administración necesita JavaScript. Actívelo en su navegador y vuelva a cargar esta página.',
  previewMark: 'Vista previa: solo usted la ve',
  opening: {
    soon: 'Próximamente',
    adminAccess: 'Acceso de administración',
    bar: 'Aún no está abierto: solo usted ve esta página. Los visitantes leen «Próximamente».',
    toPanel: 'Ir al panel',
  },
  unavailable: {
    title: 'Volvemos en un momento',
    sentence: 'El sitio no puede responder ahora. Inténtelo de nuevo en un momento.',
    again: 'Intentar de nuevo',
  },
  commissions: {
    open: 'Recibo encargos.',
    from: (date) => `Recibo encargos a partir del ${dayIn(date)}.`,
    closed: 'Por ahora no recibo encargos.',
  },
  contactTable: {
    file: 'mensajes',
    columns: {
      receivedAt: 'Recibido (UTC)',
      state: 'Estado',
      name: 'Nombre',
      email: 'Correo',
      projectType: 'Tipo de proyecto',
      about: 'Sobre',
      message: 'Mensaje',
      note: 'Nota privada',
      repliedAt: 'Última respuesta (UTC)',
      photos: 'Fotos',
    },
    states: { new: 'Por responder', answered: 'Respondido', quoted: 'Cotizado', closed: 'Cerrado', spam: 'Spam' },
  },
}
