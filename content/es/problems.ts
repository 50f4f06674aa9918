import { languageName } from '#contract/languages.ts'
import type { NamedProjects, PhotoOwners } from '#contract/problems.ts'
import { inWords } from '../in-words.ts'
import {
  type ArchiveReasons,
  type ExportReasons,
  type FieldLabels,
  faultAmong,
  labelOf,
  type ProblemTexts,
  reasonIn,
} from '../problem-sentence.ts'
import { faultSentence, type ValueFaults, withLabel } from '../value-faults.ts'

/** `«Galeón», «Ténder» y otros 4`; empty when nothing is named. */
export function titles({ projects, others, site }: NamedProjects) {
  return inWords(
    [
      ...projects.map((title) => `«${title}»`),
      others > 0 && (others === 1 ? 'otro más' : `otros ${others.toLocaleString('es-MX')}`),
      site && 'el propio sitio',
    ],
    'y',
  )
}

export const valueFaults: ValueFaults = {
  missing: () => 'esto falta, está vacío o no es un texto.',
  too_short: ({ limit }) => `use al menos ${limit.toLocaleString('es-MX')} caracteres.`,
  too_long: ({ limit }) => `use como máximo ${limit.toLocaleString('es-MX')} caracteres.`,
  too_many: ({ limit }) => `se permiten como máximo ${limit.toLocaleString('es-MX')}.`,
  unseen_characters: () => 'contiene caracteres invisibles.',
  not_a_choice: ({ names }) => `use uno de estos valores: ${names}.`,
  not_yes_or_no: () => 'debe ser sí o no (true o false).',
  not_a_number: () => 'debe ser un número entero.',
  not_an_email: () => 'esto no es una dirección de correo.',
  not_a_phone: () => 'esto no es un número de teléfono.',
  not_a_link: () => 'un enlace debe empezar con https://, mailto: o tel:.',
  not_a_photo: () => 'use una foto subida aquí o una dirección https://.',
  not_uploaded: () => 'esta foto no está guardada aquí. Por favor súbala.',
  not_an_id: () => 'esto no es un identificador.',
  not_a_moment: () => 'esto no es una fecha como 2026-11-15T08:00:00Z.',
  not_a_day: () => 'esto no es un día como 2027-03-01.',
  not_a_list: () => 'esto no es una lista.',
  not_a_record: () => 'esto no es un registro.',
  unknown_fields: ({ names }) => `campos desconocidos: ${names}.`,
  wrong: () => 'esto no es válido.',
}

const plain: ProblemTexts['plain'] = {
  invalid_input: 'Algo de lo que envió no es válido. Revíselo e inténtelo de nuevo.',
  not_http: 'Eso no es una petición HTTP válida.',
  upload_interrupted: 'La foto no llegó completa. No se guardó nada; inténtelo de nuevo.',
  sign_in_required: 'Por favor inicie sesión.',
  wrong_credentials: 'Los datos no son correctos. Inténtelo de nuevo.',
  wrong_password: 'La contraseña actual no es correcta. No se cambió nada.',
  demo_only_here:
    'Esto es una demostración y solo se puede administrar en el equipo donde funciona, en http://localhost. Para hacerla suya, iníciela con ADMIN_USERNAME y ADMIN_PASSWORD.',
  password_needed: 'Escriba de nuevo su contraseña, por favor.',
  password_not_right: 'Esa contraseña no es correcta. No se hizo nada.',
  foreign_origin: 'Esta petición vino de otro sitio y fue rechazada.',
  not_found: 'No hay nada en esta dirección.',
  project_not_found: 'Ese proyecto ya no existe.',
  message_not_found: 'Ese mensaje ya no existe.',
  mail_not_found: 'Ese correo ya no está en la bandeja de salida: se envió o se descartó.',
  admin_not_found: 'Esa cuenta ya no existe.',
  upload_not_found: 'Esa subida es desconocida o la empezó otra persona. Elija la foto de nuevo.',
  method_not_allowed: 'Esta dirección no acepta ese tipo de petición.',
  request_timeout: 'La petición tardó demasiado en llegar. Inténtelo de nuevo.',
  username_taken: 'Ese nombre de usuario ya está ocupado.',
  last_admin: 'Esta es la última cuenta. Cree otra antes de eliminarla.',
  site_changed:
    'Otra persona cambió los textos del sitio después de que usted los abrió, así que no se sobrescribió nada. Lo que escribió sigue aquí.',
  nothing_to_publish: 'No hay nada nuevo que publicar.',
  site_version_not_found: 'Esa versión ya no se conserva.',
  note_changed:
    'Otra persona cambió esta nota después de que usted la abrió, así que no se guardó. Lo que escribió sigue aquí: copie lo que necesite y abra el mensaje de nuevo.',
  mail_not_set_up: 'El correo no está configurado en este sitio, así que no se envió nada. Para activarlo, vea README.md.',
  too_many_replies:
    'Este mensaje ya tiene cien respuestas, el máximo. No se envió nada. Copie lo que escribió en un correo suyo.',
  project_changed:
    'Otra persona cambió este proyecto después de que usted lo abrió, así que no se guardó. Lo que escribió sigue en el formulario: copie lo que necesite, cierre el formulario y abra el proyecto de nuevo.',
  upload_used: 'Esa subida ya se usó. Elija la foto de nuevo.',
  upload_not_received: 'La foto todavía no ha llegado. Súbala primero.',
  upload_expired: 'Esa subida no se terminó en diez minutos. Elija la foto de nuevo.',
  image_too_large: 'Esa foto pesa más de 10 MB. Exporte una copia más pequeña e inténtelo de nuevo.',
  image_too_many_pixels: 'Esa foto tiene más de 50 megapíxeles. Exporte una copia más pequeña e inténtelo de nuevo.',
  image_too_long: 'Esa foto mide más de 16,383 píxeles por un lado. Exporte una copia más pequeña e inténtelo de nuevo.',
  image_too_slow: 'Esa foto tarda demasiado en abrirse. Exporte una copia más pequeña o un JPEG común e inténtelo de nuevo.',
  image_needs_memory:
    'Esa foto requiere demasiada memoria para abrirse. Exporte una copia más pequeña o un JPEG común e inténtelo de nuevo.',
  body_too_large: 'Eso es demasiado para enviarlo de una vez.',
  unsupported_media_type: 'Esta dirección solo acepta JSON.',
  not_an_image: 'Ese archivo no es una foto que este sitio pueda leer. Elija un archivo JPEG, PNG, WebP, AVIF o GIF.',
  heic_not_supported: 'Este sitio no puede leer fotos HEIC. Exporte la foto como JPEG y elija ese archivo.',
  image_broken: 'Esa foto está dañada y no se pudo leer. Elija otro archivo.',
  headers_too_large: 'La dirección o los encabezados de esa petición son demasiado largos.',
  too_many_requests: 'Demasiados intentos. Espere un momento e inténtelo de nuevo.',
  too_many_photos: 'Por ahora no se pueden subir más fotos. El mensaje se puede enviar sin ellas.',
  too_many_inquiries: 'Llegaron demasiados mensajes en esta hora y este no se recibió.',
  too_many_attempts: 'Demasiados intentos fallidos. Espere un momento e inténtelo de nuevo.',
  unexpected: 'Algo falló de nuestro lado. No se cambió nada.',
  unavailable: 'El sitio no puede responder ahora. Inténtelo de nuevo en un momento.',
  backup_not_found: 'Ese respaldo ya no está en el servidor. Actualice la lista y elija otro.',
  backup_job_ended:
    'El programa de respaldos terminó antes de acabar: necesitaba demasiada memoria o lo detuvieron. Una restauración se hace entera o no se hace: actualice la página e inténtelo de nuevo.',
  backup_stalled:
    'Se detuvo el programa de respaldos porque ya nada avanzaba. Compruebe que el disco, el depósito o la carpeta compartida respondan e inténtelo de nuevo.',
  backup_in_progress:
    'Hay otro respaldo o restauración en curso. No se cambió nada. Espere a que termine e inténtelo de nuevo.',
  backup_upload_not_found: 'Ese archivo ya no está en el servidor. Elíjalo de nuevo.',
  merge_not_found: 'Desde entonces se restauró o importó otra cosa. Actualice la página.',
  last_backup: 'Este es su último respaldo completo, así que no se eliminó. Cree otro antes, o confirme que desea eliminarlo.',
  upload_incomplete: 'Todavía faltan partes de ese archivo. Elíjalo de nuevo para reanudar la subida.',
  undo_impossible: 'No queda nada que deshacer: ya se deshizo, o no cambió nada.',
  secret_wrong:
    'Ese archivo está cifrado y el secreto de este sitio no lo abre. No se cambió nada. Ponga en BACKUP_PASSPHRASE o BACKUP_KEY el secreto con que se hizo, o descífrelo antes con el programa age.',
  file_damaged: 'Ese archivo está dañado o incompleto. No se cambió nada. Elija otra copia.',
  file_too_large: 'Ese archivo es más grande o requiere más memoria de lo que este sitio puede restaurar. No se cambió nada.',
  elsewhere_unavailable:
    'El destino externo no responde o no se puede escribir en él. El respaldo del servidor está intacto; su copia se intentará de nuevo.',
  elsewhere_empty:
    'El destino externo no tiene la carpeta «backups», aunque antes tenía copias. Si es un recurso compartido, móntelo; si es un destino nuevo, cree ahí esa carpeta.',
  backup_damaged: 'Un respaldo del servidor cambió después de hacerse, así que no se copió al destino externo. Cree otro.',
  copy_damaged: 'La copia externa de un respaldo resultó distinta del original y no se conservó. Se intentará de nuevo.',
  trial_differs: 'Una prueba de restauración no devolvió lo que se respaldó. Cree otro respaldo.',
  backup_too_large:
    'Hay más mensajes, proyectos o fotos de los que caben en un respaldo completo, así que no se hizo. No se cambió nada. Elimine mensajes que no necesite. Exportar datos sigue funcionando.',
  import_too_large:
    'Esa exportación pesa más de 64 MB, el máximo de esta página. No se cambió nada. Restáurela desde la consola: npm run restore -- <archivo>',
  zip_expected: 'Por favor seleccione un archivo ZIP',
  export_refused: 'Eso no es una exportación válida. No se cambió nada. Pegue o elija otra.',
  archive_refused: 'Ese archivo no es un respaldo completo válido. No se cambió nada. Elija otro archivo.',
  backup_too_new:
    'Ese respaldo se hizo con una versión más nueva de este sitio. No se cambió nada. Actualice primero el sitio y después restáurelo.',
  stored_image_damaged:
    'Una foto guardada está dañada y no se puede hacer un respaldo completo. No se cambió nada. Suba esa foto de nuevo. Exportar datos sigue funcionando.',
  database_backup_failed:
    'El respaldo de la base de datos quedó incompleto y no se conservó. Use mientras tanto Exportar datos.',
  pg_dump_missing:
    'pg_dump no está instalado en el servidor, así que no se respaldó la base de datos. Instale postgresql-client o use Exportar datos, que no necesita ningún otro programa.',
  pg_dump_older:
    'El pg_dump del servidor es anterior a su PostgreSQL, así que no se respaldó la base de datos. Instale el postgresql-client correspondiente o use Exportar datos, que funciona con cualquier versión.',
  pg_dump_slow:
    'pg_dump no terminó a tiempo y se detuvo. No se conservó nada. Inténtelo cuando el sitio esté tranquilo o use Exportar datos.',
  storage_unavailable:
    'El almacenamiento de fotos y respaldos no responde. No se cambió nada. Inténtelo de nuevo en un momento.',
  database_replaced:
    'El archivo de la base de datos se quitó o se reemplazó mientras el sitio estaba en marcha. No se escribió nada. Reinicie el sitio.',
  database_damaged: 'La base de datos está dañada. No se cambió nada. Reinicie el sitio y verá qué hacer.',
  disk_read_only:
    'Por ahora no se puede escribir en el disco del servidor. No se cambió nada; el sitio sigue mostrando lo que hay.',
  disk_full: 'No hay suficiente espacio en el disco del servidor. No se cambió nada. Libere espacio e inténtelo de nuevo.',
}

const labels: FieldLabels = {
  fields: {
    id: 'identificador',
    createdAt: 'fecha',
    title: 'título',
    description: 'descripción',
    category: 'categoría',
    imageUrl: 'foto',
    scale: 'escala',
    materials: 'materiales',
    techniques: 'técnicas',
    timeSpent: 'tiempo invertido',
    beforeImageUrl: 'foto de antes',
    afterImageUrl: 'foto de después',
    featured: 'destacado',
    photos: 'fotos',
    draft: 'borrador',
    translations: 'traducciones',
    rank: 'lugar en el orden',
    deletedAt: 'fecha de borrado',
    addresses: 'direcciones',
    name: 'nombre',
    email: 'correo electrónico',
    projectType: 'tipo de proyecto',
    message: 'texto del mensaje',
    state: 'estado',
    language: 'idioma',
    aboutId: 'identificador del proyecto del que trata',
    aboutTitle: 'título del proyecto del que trata',
    note: 'nota',
    spamReason: 'indicio de spam',
    changedAt: 'fecha del último cambio',
    replies: 'respuestas',
    username: 'nombre de usuario',
    password: 'contraseña',
    currentPassword: 'contraseña actual',
    newPassword: 'contraseña nueva',
  },
  translated: (label, language) => `${label} en ${languageName(language, 'es')}`,
}

const number = (value: number) => value.toLocaleString('es-MX')

const lists: Record<string, { one: string; many: string }> = {
  projects: { one: 'Proyecto', many: 'proyectos' },
  contacts: { one: 'Mensaje', many: 'mensajes' },
}
const one = (list: string) => lists[list]?.one ?? list
const many = (list: string) => lists[list]?.many ?? list

function photoOf({ photo, ...owners }: PhotoOwners & { photo: string }) {
  if ('sentBy' in owners) return `Una foto enviada con el mensaje de «${owners.sentBy}»`
  const whose = titles(owners)
  return whose ? `Una foto de ${whose}` : `Una foto que ningún proyecto usa (${photo.slice(0, 8)}…)`
}

const exportReasons: ExportReasons = {
  empty: () => 'No contiene proyectos ni mensajes.',
  foreign: () => 'No es una exportación de este sitio.',
  not_json: () => 'No se puede leer como JSON.',
  not_an_object: () => 'No es un objeto JSON.',
  cut_off: () => 'Está cortada.',
  too_deep: () => 'Tiene demasiados niveles.',
  part_too_long: () => 'Una de sus partes es demasiado larga.',
  changed: () => 'Se dañó o se cambió después de hacerse. Si usted la cambió, quite la línea con sha256.',
  wrong_counts: () => 'No contiene tantos registros como dice.',
  incomplete: () => 'No llegó completa; inténtelo de nuevo.',
  unknown_key: ({ key }) => `Tiene una parte desconocida: ${key}.`,
  key_twice: ({ key }) => `Tiene ${key} dos veces.`,
  not_a_list: ({ key }) => `Su parte «${key}» no es una lista.`,
  too_many: ({ list, most }) => `Contiene más de ${number(most)} ${many(list)}.`,
  too_many_without_ids: ({ list, most }) => `Contiene más de ${number(most)} ${many(list)} sin identificador.`,
  same_id: ({ list, id }) => `Dos ${many(list)} tienen el mismo identificador ${id}.`,
  site: (fault) => withLabel(`Textos del sitio${fault.field && `, ${fault.field}`}`, faultSentence(valueFaults, fault)),
  head: (fault) => `Su encabezado (${fault.field}): ${faultSentence(valueFaults, fault)}`,
  record: ({ list, number: place, title, ...fault }) => {
    const record = `${one(list)} ${number(place)}${title ? ` («${title}»)` : ''}`
    return withLabel(fault.field ? `${record}, ${labelOf(labels, fault.field)}` : record, faultSentence(valueFaults, fault))
  },
}

const archiveReasons: ArchiveReasons = {
  not_a_zip: () => 'No es un archivo ZIP o está incompleto.',
  incomplete: () => 'No llegó completo; inténtelo de nuevo.',
  damaged: () => 'Está dañado.',
  encrypted: () => 'Está cifrado.',
  foreign_manifest: () => 'Su lista de contenido no es de un sitio como este.',
  manifest_repeats: () => 'Su lista de contenido nombra dos veces un archivo.',
  contents_missing: () => 'Faltan la lista de contenido o los registros.',
  records_missing: () => 'Le faltan los registros.',
  records_damaged: () => 'Sus registros están dañados.',
  files_missing: () => 'Le faltan archivos.',
  too_many_files: () => 'Contiene más archivos que cualquier respaldo.',
  wrong_counts: () => 'No contiene tantos registros como dice.',
  wrong_photo_count: () => 'No contiene tantas fotos como dice.',
  foreign_file: ({ entry }) => `Contiene un archivo que no va ahí: «${entry}».`,
  link: ({ entry }) => `«${entry}» es un enlace y no un archivo.`,
  packed: ({ entry }) => `«${entry}» está comprimido de un modo que este sitio no admite.`,
  false_size: ({ entry }) => `«${entry}» no tiene el tamaño que dice el archivo.`,
  too_large: ({ entry }) => `«${entry}» es más grande que cualquier parte de un respaldo.`,
  same_name: ({ entry }) => `Contiene dos archivos con el mismo nombre: «${entry}».`,
  overlap: ({ entry }) => `«${entry}» se encima con otra parte del archivo.`,
  unlisted: ({ entry }) => `Contiene un archivo que no está en su lista de contenido: «${entry}».`,
  not_as_listed: ({ entry }) => `«${entry}» no tiene el tamaño que dice la lista de contenido.`,
  misnamed: ({ entry }) => `«${entry}» tiene un nombre equivocado.`,
  two_names: ({ entry }) => `«${entry}» tiene dos nombres.`,
  entry_damaged: ({ entry }) => `«${entry}» está dañado.`,
  photo_damaged: (details) => `${photoOf(details)} está dañada.`,
  photo_refused: ({ because, ...details }) => {
    const why = {
      not_an_image: 'no es una foto que este sitio pueda guardar',
      image_too_many_pixels: 'tiene más de 50 megapíxeles',
      image_needs_memory: 'requiere demasiada memoria para abrirse',
      image_broken: 'está dañada',
    }
    return `${photoOf(details)} ${why[because]}.`
  },
  records_refused: ({ because }) => `Sus registros no se pueden leer. ${reasonIn(exportReasons, because)}`,
}

export const problemTexts: ProblemTexts = {
  plain,
  detailed: {
    invalid_input: (details, fields) => {
      if (details.reason === 'not_json') return 'Eso no se pudo leer como JSON. No se cambió nada.'
      const fault = faultAmong(details.faults, fields)
      return withLabel(labelOf(labels, fault.field), faultSentence(valueFaults, fault))
    },
    unsupported_media_type: () => 'Esta dirección solo acepta un formulario con un archivo.',
    export_refused: (details) => `Eso no sirve como exportación. ${reasonIn(exportReasons, details)} No se cambió nada.`,
    archive_refused: (details) => {
      const cure = details.reason === 'incomplete' ? '' : ' Elija otro archivo.'
      return `Ese archivo no sirve como respaldo completo. ${reasonIn(archiveReasons, details)} No se cambió nada.${cure}`
    },
    backup_too_new: ({ version, newest }) =>
      `Ese respaldo se hizo con una versión más nueva de este sitio: su formato es ${version} y este sitio solo lee hasta el ${newest}. No se cambió nada. Actualice primero el sitio y después restáurelo.`,
    stored_image_damaged: (owners) =>
      'sentBy' in owners
        ? `Una foto enviada con el mensaje de «${owners.sentBy}» está dañada y no se puede hacer un respaldo completo. No se cambió nada. Restaure un respaldo completo que la tenga o elimine ese mensaje. Exportar datos sigue funcionando.`
        : `Una foto guardada de ${titles(owners)} está dañada y no se puede hacer un respaldo completo. No se cambió nada. Suba esa foto de nuevo. Exportar datos sigue funcionando.`,
    too_many_attempts: ({ seconds }) =>
      `Demasiados intentos fallidos. Inténtelo de nuevo en ${seconds === 1 ? 'un segundo' : `${seconds} segundos`}.`,
    too_many_inquiries: ({ email }) => `Llegaron demasiados mensajes en esta hora y este no se recibió. Envíelo a ${email}.`,
    disk_read_only: ({ folder }) =>
      `El sitio no puede escribir en la carpeta ${folder} del servidor. No se cambió nada. Dé permiso de escritura en esa carpeta e inténtelo de nuevo.`,
    disk_full: ({ neededMegabytes, freeMegabytes }) =>
      `No hay suficiente espacio en el disco del servidor: se necesitan ${number(neededMegabytes)} MB y hay ${number(freeMegabytes)} MB libres. No se cambió nada. Libere espacio e inténtelo de nuevo.`,
  },
}
