import type { ContactState } from '#contract/contacts.admin.ts'
import type { Language } from '#contract/languages.ts'

type Column = 'receivedAt' | 'state' | 'name' | 'email' | 'projectType' | 'about' | 'message' | 'note' | 'repliedAt' | 'photos'

/** Messages as a table for a spreadsheet. */
export type ContactTable = { file: string; columns: Record<Column, string>; states: Record<ContactState, string> }

export const contactTable: Record<Language, ContactTable> = {
  en: {
    file: 'messages',
    columns: {
      receivedAt: 'Received (UTC)',
      state: 'State',
      name: 'Name',
      email: 'Email',
      projectType: 'Project type',
      about: 'About',
      message: 'Message',
      note: 'Private note',
      repliedAt: 'Last reply (UTC)',
      photos: 'Photos',
    },
    states: { new: 'New', answered: 'Answered', quoted: 'Quoted', closed: 'Closed', spam: 'Spam' },
  },
  es: {
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
    states: { new: 'Nuevo', answered: 'Respondido', quoted: 'Cotizado', closed: 'Cerrado', spam: 'Spam' },
  },
}
