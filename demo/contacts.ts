import type { ContactState } from '#contract/contacts.admin.ts'
import type { ContactDraft } from '#contract/contacts.ts'
import type { Language } from '#contract/languages.ts'

export type DemoContact = Pick<ContactDraft, 'name' | 'email' | 'projectType' | 'message'> & {
  language: Language
  hoursAgo: number
  state: ContactState
  /** The title of the project it is about. */
  about?: string
  note?: string
  reply?: { hoursLater: number; text: string }
}

/** A few messages, newest first, so that the dashboard shows what it is for: one is urgent, and two are answered. */
export const demoContacts: readonly DemoContact[] = [
  {
    name: 'Lucía Hernández',
    email: 'lucia.hernandez@example.com',
    language: 'es',
    projectType: 'ship',
    hoursAgo: 5,
    state: 'new',
    about: 'Harbour Tug “Martina”',
    message:
      'Hola, mi abuelo fue jefe de máquinas de un remolcador en Veracruz y conservo tres fotografías y un plano de 1938. Me gustaría regalarle a mi madre una maqueta de unos 60 centímetros. ¿Podría orientarme sobre el plazo y el precio?',
  },
  {
    name: 'Daniel Whitfield',
    email: 'daniel.whitfield@example.com',
    language: 'en',
    projectType: 'locomotive',
    hoursAgo: 40,
    state: 'new',
    message:
      'Good morning. I drove a 4-6-0 for eleven years and would love her in 1:32, with the number plates as they were in 1964. I have the works drawings. When could you start?',
  },
  {
    name: 'Museo del Valle',
    email: 'colecciones@example.org',
    language: 'es',
    projectType: 'custom',
    hoursAgo: 6 * 24,
    state: 'quoted',
    note: 'Visita el 14 de enero a las 11. Cotización enviada: corte de caldera, 1:20, cinco meses.',
    message:
      'Preparamos una sala sobre el ferrocarril de vía estrecha y buscamos una pieza central a escala 1:20, con un corte que enseñe la caldera. ¿Aceptaría una visita al taller en enero?',
    reply: {
      hoursLater: 9,
      text: 'Estimados señores:\n\nCon mucho gusto los recibo en el taller. ¿Les conviene el 14 de enero a las 11? Si me envían antes el plano de la sala, tendré lista una primera cotización.',
    },
  },
  {
    name: 'Margaret Cole',
    email: 'margaret.cole@example.com',
    language: 'en',
    projectType: 'automotive',
    hoursAgo: 19 * 24,
    state: 'answered',
    about: 'La Espiga Bakery Van',
    message:
      'The bakery van made my father smile for the first time in months. His own was green, with a dent in the left door that he never let anybody mend. Would you build it with the dent?',
    reply: {
      hoursLater: 21,
      text: 'Dear Margaret,\n\nwith the dent, of course. Could you send me two photographs of the left side? Any year will do.',
    },
  },
]
