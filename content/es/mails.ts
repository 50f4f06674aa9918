import type { MailTexts } from '../en/mails.ts'
import { mailMoment } from '../moments.ts'
import { site } from './site.ts'

const hours = (count: number) => (count === 1 ? 'una hora' : `${count} horas`)

export const mails: MailTexts = {
  projectTypes: site.contact.form.projectTypes,
  contact: {
    subject: (name) => `Nuevo mensaje de ${name}`,
    subjectAbout: (name, about) => `Nuevo mensaje de ${name} sobre ${about}`,
    from: (name, email) => `${name} (${email}) le escribió.`,
    projectType: (type) => `Tipo de proyecto: ${type}`,
    about: (title) => `Sobre: ${title}`,
    photos: (count) => (count === 1 ? 'Una foto: véala en el panel.' : `${count} fotos: véalas en el panel.`),
    answerBy: (at, timeZone) => `Responda, por favor, antes del ${mailMoment(at, 'es-MX', timeZone)}.`,
    how: 'Responda en el panel, o responda a este correo: su respuesta llegará a quien le escribió. Después marque el mensaje como respondido en el panel.',
    below: 'Desde aquí hasta el final de este correo, lo que escribió el visitante:',
  },
  reminder: {
    subject: (count) => (count === 1 ? 'Un mensaje espera respuesta' : `${count} mensajes esperan respuesta`),
    intro: 'El sitio promete responder en menos de 48 horas. Primero los más antiguos:',
    about: (name, about) => `${name}, sobre ${about}`,
    left: (who, left) =>
      left < 1 ? `${who}: queda menos de una hora` : `${who}: ${left === 1 ? 'queda' : 'quedan'} ${hours(left)}`,
    overdue: (who, by) =>
      `${who}: con retraso de ${by < 1 ? 'menos de una hora' : by < 48 ? hours(by) : `${Math.floor(by / 24)} días`}`,
    more: (count) => (count === 1 ? 'y uno más' : `y ${count} más`),
    spam: (count) =>
      count === 1
        ? 'Desde el último recordatorio se marcó un mensaje como spam. Revise si lo es.'
        : `Desde el último recordatorio se marcaron ${count} mensajes como spam. Revise si lo son.`,
    panel: 'El panel:',
  },
  acknowledgement: {
    subject: (brand) => `${brand}: su mensaje llegó`,
    text: 'Gracias por su interés. Su mensaje llegó, y le responderé en menos de 48 horas.',
    notYou:
      'Este correo se envió automáticamente porque su dirección se escribió en el formulario de contacto. Si no fue usted, no tiene que hacer nada.',
  },
  reply: {
    subject: (brand) => `Re: su mensaje a ${brand}`,
    subjectAbout: (brand, about) => `Re: su mensaje a ${brand} sobre ${about}`,
  },
  faults: {
    subject: 'Sus respaldos requieren atención',
    intro: 'Estas tareas de respaldo siguen fallando:',
    jobs: {
      nightly: 'Respaldo nocturno',
      copy: 'Copia externa',
      'restore-test': 'Prueba de restauración',
    },
    line: (what, sentence) => `${what}: ${sentence}`,
    unknown: 'motivo desconocido.',
    again: 'El sitio lo seguirá intentando. Los respaldos anteriores siguen ahí.',
    panel: 'El panel:',
  },
  links: {
    address: {
      subject: (brand) => `${brand}: confirme su dirección de correo`,
      text: (username) =>
        `Esta dirección se indicó para la cuenta «${username}». Para confirmarla, abra este enlace antes de 24 horas y presione el botón.`,
      notYou: 'Si no fue usted, ignore este correo. Nada cambiará.',
    },
    password: {
      subject: (brand) => `${brand}: elija una contraseña nueva`,
      text: (username) =>
        `Se pidió una contraseña nueva para la cuenta «${username}». Para elegirla, abra este enlace antes de 30 minutos. Sirve una sola vez.`,
      notYou: 'Si no fue usted, ignore este correo. Su contraseña no cambia.',
    },
  },
  newDevice: {
    subject: (brand) => `${brand}: nuevo inicio de sesión`,
    text: (username, at, timeZone) =>
      `La cuenta «${username}» inició sesión el ${mailMoment(at, 'es-MX', timeZone)}, en un dispositivo que no había usado desde que se eligió su contraseña:`,
    device: (browser, system) => `${browser} en ${system}`,
    unknown: 'Dispositivo desconocido',
    you: 'Si fue usted, no tiene que hacer nada.',
    notYou: 'Si no fue usted, cambie su contraseña de inmediato: así se cierra la sesión en los demás dispositivos.',
  },
  test: {
    subject: (brand) => `${brand}: el correo funciona`,
    text: 'Usted pidió este correo de prueba en el panel. Llegó, así que cada mensaje nuevo se enviará a esta dirección.',
  },
}
