import type { ContactDraft } from '#contract/contacts.ts'
import type { Language } from '#contract/languages.ts'

/** A few inquiries, newest first, so that the dashboard shows what it is for. */
export const demoContacts: readonly (Pick<ContactDraft, 'name' | 'email' | 'projectType' | 'message'> & {
  language: Language
})[] = [
  {
    name: 'Lucía Hernández',
    email: 'lucia.hernandez@example.com',
    language: 'es',
    projectType: 'ship',
    message:
      'Hola, mi abuelo fue jefe de máquinas de un remolcador en Veracruz y conservo tres fotografías y un plano de 1938. Me gustaría regalarle a mi madre una maqueta de unos 60 centímetros. ¿Podría orientarme sobre el plazo y el precio?',
  },
  {
    name: 'Daniel Whitfield',
    email: 'daniel.whitfield@example.com',
    language: 'en',
    projectType: 'locomotive',
    message:
      'Good morning. I drove a 4-6-0 for eleven years and would love her in 1:32, with the number plates as they were in 1964. I have the works drawings. When could you start?',
  },
  {
    name: 'Museo del Valle',
    email: 'colecciones@example.org',
    language: 'es',
    projectType: 'custom',
    message:
      'Preparamos una sala sobre el ferrocarril de vía estrecha y buscamos una pieza central a escala 1:20, con un corte que enseñe la caldera. ¿Aceptaría una visita al taller en enero?',
  },
]
