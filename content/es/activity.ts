import type { ActivityTexts, Noted } from '../en/activity.ts'

const times = (count = 1) =>
  count === 1 ? 'Un intento fallido de iniciar sesión' : `${count.toLocaleString('es-MX')} intentos fallidos de iniciar sesión`
const many = (count = 1, one: string, others: string) => (count === 1 ? one : `${count.toLocaleString('es-MX')} ${others}`)
const by = ({ who = 'La consola' }: Noted) => who
const project = ({ name }: Noted) => (name ? `«${name}»` : 'un proyecto sin título')
const file = ({ name = '' }: Noted) => name

export const activity: ActivityTexts = {
  title: 'Actividad',
  text: (days) => `Quién hizo qué, lo más reciente primero. Se conserva ${days} días y no se puede cambiar.`,
  loading: 'Cargando la actividad…',
  failed: 'No se pudo leer la actividad',
  empty: 'Todavía no hay nada anotado.',
  noMatch: 'No hay nada anotado de este tipo.',
  more: 'Mostrar anteriores',
  person: 'Persona',
  everyone: 'Todas',
  others: { deleted: 'Cuentas eliminadas', none: 'Consola y desconocidos' },
  group: 'Tipo',
  everything: 'Todo',
  groups: {
    access: 'Sesiones',
    projects: 'Proyectos',
    site: 'Textos del sitio',
    messages: 'Mensajes',
    backups: 'Respaldos',
    accounts: 'Cuentas',
    settings: 'Ajustes',
  },
  unknown: (noted) => `${by(noted)} hizo algo que esta versión no conoce`,
  kinds: {
    signed_in: (noted) => `${by(noted)} inició sesión`,
    sign_in_failed: ({ who, count }) => (who ? `${times(count)} como ${who}` : `${times(count)} con un nombre desconocido`),
    signed_out: (noted) => `${by(noted)} cerró sesión`,
    session_ended: (noted) => `${by(noted)} cerró la sesión de otro dispositivo`,
    other_sessions_ended: (noted) =>
      `${by(noted)} cerró la sesión de ${many(noted.count, 'otro dispositivo', 'otros dispositivos')}`,
    project_created: (noted) => `${by(noted)} añadió ${project(noted)}`,
    project_changed: (noted) => `${by(noted)} cambió ${project(noted)}`,
    project_deleted: (noted) => `${by(noted)} envió ${project(noted)} a la papelera`,
    project_restored: (noted) => `${by(noted)} restauró ${project(noted)} de la papelera`,
    project_removed: (noted) => `${by(noted)} eliminó ${project(noted)} para siempre`,
    trash_emptied: (noted) => `${by(noted)} vació la papelera: ${many(noted.count, 'un proyecto', 'proyectos')}`,
    demo_projects_deleted: (noted) =>
      `${by(noted)} envió ${many(noted.count, 'un proyecto', 'proyectos')} de la demostración a la papelera`,
    demo_projects_restored: (noted) =>
      `${by(noted)} restauró ${many(noted.count, 'un proyecto', 'proyectos')} de la demostración`,
    texts_published: (noted) => `${by(noted)} publicó los textos del sitio`,
    texts_brought_back: (noted) => `${by(noted)} restauró textos anteriores del sitio`,
    site_opened: (noted) => `${by(noted)} abrió el sitio a los visitantes`,
    site_closed: (noted) => `${by(noted)} cerró el sitio a los visitantes`,
    message_replied: (noted) => `${by(noted)} respondió a un mensaje`,
    messages_deleted: (noted) => `${by(noted)} eliminó ${many(noted.count, 'un mensaje', 'mensajes')}`,
    messages_downloaded: (noted) => `${by(noted)} descargó los mensajes en una tabla`,
    backup_made: (noted) => `${by(noted)} creó el respaldo ${file(noted)}`,
    backup_downloaded: (noted) => `${by(noted)} descargó el respaldo ${file(noted)}`,
    backup_deleted: (noted) => `${by(noted)} eliminó el respaldo ${file(noted)}`,
    data_exported: (noted) => `${by(noted)} exportó los datos: ${file(noted)}`,
    data_imported: (noted) => `${by(noted)} importó ${file(noted)}`,
    data_restored: (noted) => `${by(noted)} restauró el sitio desde ${file(noted)}`,
    restore_undone: (noted) => `${by(noted)} deshizo la importación o restauración de ${file(noted)}`,
    account_created: (noted) => `${by(noted)} creó la cuenta ${file(noted)}`,
    account_deleted: (noted) => `${by(noted)} eliminó la cuenta ${file(noted)}`,
    account_renamed: (noted) => `${by(noted)} cambió el nombre de la cuenta ${file(noted)} a ${noted.newName}`,
    role_changed: (noted) => `${by(noted)} cambió la función de ${file(noted)}`,
    password_changed: (noted) => `${by(noted)} cambió la contraseña`,
    password_link_sent: ({ who, name = who }) => `Se envió a ${name} un enlace para una contraseña nueva`,
    password_reset: ({ who, name }) =>
      who ? `${who} eligió una contraseña nueva con el enlace de un correo` : `La consola dio una contraseña nueva a ${name}`,
    address_confirmed: (noted) => `${by(noted)} confirmó una dirección de correo`,
    address_removed: (noted) => `${by(noted)} quitó una dirección de correo`,
    passkey_added: (noted) => `${by(noted)} añadió la llave de acceso «${file(noted)}»`,
    passkey_removed: (noted) => `${by(noted)} quitó la llave de acceso «${file(noted)}»`,
    mail_settings_changed: (noted) => `${by(noted)} cambió los ajustes de correo`,
    backup_settings_changed: (noted) => `${by(noted)} cambió los ajustes de los respaldos`,
    address_changed: (noted) => `${by(noted)} cambió la dirección del sitio`,
    time_zone_changed: (noted) => `${by(noted)} cambió la zona horaria`,
    statistics_on: (noted) => `${by(noted)} activó el conteo de visitas`,
    statistics_off: (noted) => `${by(noted)} desactivó el conteo de visitas y borró las cifras`,
  },
}
