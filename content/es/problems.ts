import { languageName } from '#contract/languages.ts'
import type { ProblemDetails } from '#contract/problems.ts'
import { type FieldLabels, faultAmong, labelOf, type ProblemTexts } from '../problem-sentence.ts'
import { faultSentence, type ValueFaults, withLabel } from '../value-faults.ts'

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
  not_a_server: () => 'esto no es el nombre de un servidor.',
  not_a_site_address: () => 'use una dirección como https://ejemplo.com, sin nada después.',
  not_a_time_zone: () => 'no existe esa zona horaria.',
  not_a_folder: () => 'use una ruta completa, como /mnt/respaldos.',
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
  owner_needed: 'Solo los propietarios del sitio pueden hacer eso. No se cambió nada.',
  password_needed: 'Escriba de nuevo su contraseña, por favor.',
  password_not_right: 'Esa contraseña no es correcta. No se hizo nada.',
  passkey_refused: 'Esa llave de acceso no fue aceptada. No se cambió nada. Inténtelo de nuevo o use su contraseña.',
  passkeys_unavailable:
    'Las llaves de acceso solo funcionan en la dirección https propia del sitio, que los ajustes deben indicar, o en http://localhost. Aquí use su contraseña.',
  passkey_not_found: 'Esa llave de acceso ya se había quitado.',
  too_many_passkeys: 'Tiene 20 llaves de acceso, el máximo de una cuenta. Quite una primero.',
  foreign_origin: 'Esta petición vino de otro sitio y fue rechazada.',
  not_found: 'No hay nada en esta dirección.',
  project_not_found: 'Ese proyecto ya no existe.',
  message_not_found: 'Ese mensaje ya no existe.',
  mail_not_found: 'Ese correo ya no está en la bandeja de salida: se envió o se descartó.',
  admin_not_found: 'Esa cuenta ya no existe.',
  session_not_found: 'Ahí la sesión ya está cerrada.',
  upload_not_found: 'Esa subida es desconocida o la empezó otra persona. Elija la foto de nuevo.',
  method_not_allowed: 'Esta dirección no acepta ese tipo de petición.',
  request_timeout: 'La petición tardó demasiado en llegar. Inténtelo de nuevo.',
  username_taken: 'Ese nombre de usuario ya está ocupado.',
  last_owner: 'Es el último propietario. Antes haga propietaria a otra cuenta.',
  site_changed:
    'Otra persona cambió los textos del sitio después de que usted los abrió, así que no se sobrescribió nada. Lo que escribió sigue aquí.',
  nothing_to_publish: 'No hay nada nuevo que publicar.',
  site_version_not_found: 'Esa versión ya no se conserva.',
  note_changed:
    'Otra persona cambió esta nota después de que usted la abrió, así que no se guardó. Lo que escribió sigue aquí: copie lo que necesite y abra el mensaje de nuevo.',
  mail_not_set_up:
    'El correo no está configurado en este sitio, así que no se envió nada. Un propietario puede hacerlo en Ajustes.',
  passphrase_lost:
    'Los respaldos deben cifrarse y la frase ya no se puede leer. No se descargó nada. Escríbala de nuevo en Ajustes, o desactívela.',
  set_by_environment: 'Esto se define en el servidor, en su entorno, y solo ahí se puede cambiar. No se cambió nada.',
  address_not_open_here:
    'Una dirección https solo se puede poner donde funciona: abra el panel en esa dirección y póngala ahí. De otro modo ya nadie podría iniciar sesión. No se cambió nada.',
  mail_refused: 'El servidor de correo no aceptó el correo de prueba.',
  offsite_refused: 'Ahí no se pueden guardar copias de los respaldos. No se cambió nada.',
  offsite_is_own:
    'Ahí guarda sus datos el propio sitio: las copias se perderían junto con él. No se cambió nada. Elija otro lugar.',
  too_many_replies:
    'Este mensaje ya tiene cien respuestas, el máximo. No se envió nada. Copie lo que escribió en un correo suyo.',
  project_changed:
    'Otra persona cambió este proyecto después de que usted lo abrió, así que no se guardó. Lo que escribió sigue en el formulario: copie lo que necesite, cierre el formulario y abra el proyecto de nuevo.',
  upload_used: 'Esa subida ya se usó. Elija la foto de nuevo.',
  upload_not_received: 'La foto todavía no ha llegado. Súbala primero.',
  link_not_valid: 'Este enlace caducó o ya se usó. Pida uno nuevo.',
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
  undo_impossible: 'No queda nada que deshacer: ya se deshizo, o no cambió nada.',
  secret_wrong:
    'Ese archivo está cifrado y este sitio no tiene el secreto con que se hizo. No se cambió nada. Ponga ese secreto en Ajustes o en BACKUP_PASSPHRASE o BACKUP_KEY, o descifre antes el archivo con el programa age.',
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
  not_a_backup: 'Eso no es un respaldo de este sitio. No se cambió nada. Elija otro archivo.',
  file_damaged: 'Ese archivo está dañado o incompleto, o se cambió después de hacerse. No se cambió nada. Elija otra copia.',
  file_too_large:
    'Ese archivo es más grande, o requiere más memoria, de lo que este sitio puede restaurar. No se cambió nada. Elija otro archivo.',
  record_refused: 'Ese archivo contiene algo que este sitio no acepta. No se cambió nada. Elija otro archivo.',
  backup_too_new:
    'Ese respaldo se hizo con una versión más nueva de este sitio. No se cambió nada. Actualice primero el sitio y después restáurelo.',
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
    host: 'servidor',
    port: 'puerto',
    secure: 'cifrado',
    user: 'usuario',
    from: 'remitente',
    to: 'destinatarios',
    url: 'dirección',
    timeZone: 'zona horaria',
    kind: 'tipo',
    folder: 'carpeta',
    endpoint: 'dirección del servicio',
    region: 'región',
    bucket: 'depósito',
    prefix: 'carpeta en el depósito',
    pathStyle: 'tipo de dirección',
    accessKeyId: 'clave de acceso',
    secretAccessKey: 'clave secreta',
    passphrase: 'frase de contraseña',
  },
  translated: (label, language) => `${label} en ${languageName(language, 'es')}`,
}

const mailCures = {
  host: 'No hay ningún servidor de correo con ese nombre. Revise cómo está escrito.',
  connection: 'No se pudo llegar al servidor de correo. Revise servidor, puerto y cifrado.',
  certificate: 'El servidor de correo no demostró quién es: su certificado no vale para ese nombre. Revise el nombre.',
  password:
    'El servidor de correo no aceptó el usuario y la contraseña. Muchos proveedores piden una contraseña de aplicación.',
  sender: 'El servidor de correo no le permite enviar desde esa dirección. Revise el remitente.',
  recipient: 'El servidor de correo no aceptó a un destinatario. Revise las direcciones.',
  message: 'El servidor de correo no aceptó el correo de prueba.',
}

const offsiteCures = {
  missing: 'No existe esa carpeta o ese depósito. Créelo antes, o monte la carpeta compartida.',
  read_only: 'El sitio no puede escribir ahí.',
  keys: 'La clave de acceso o la clave secreta no es correcta.',
  full: 'Ya no hay espacio.',
  unreachable: 'No responde, o no como se espera.',
}

const number = (value: number) => value.toLocaleString('es-MX')

const lists: Record<string, string> = { projects: 'Proyecto', contacts: 'Mensaje' }

function recordFault(details: ProblemDetails['record_refused']) {
  if (details.reason === 'photo') return `La foto ${details.photo.slice(0, 8)}… no es como las que guarda este sitio.`
  // That of a newer release.
  if (details.reason !== 'record' && details.reason !== 'site') return ''
  const sentence = faultSentence(valueFaults, details)
  if (details.reason === 'site') return withLabel(`Textos del sitio${details.field && `, ${details.field}`}`, sentence)
  const { list, number: place, title, field } = details
  const record = `${lists[list] ?? list} ${number(place)}${title ? ` («${title}»)` : ''}`
  return withLabel(field ? `${record}, ${labelOf(labels, field)}` : record, sentence)
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
    record_refused: (details) => `Ese archivo no se puede restaurar ni importar. ${recordFault(details)} No se cambió nada.`,
    backup_too_new: ({ version, newest }) =>
      `Ese respaldo se hizo con una versión más nueva de este sitio: su formato es ${version} y este sitio solo lee hasta el ${newest}. No se cambió nada. Actualice primero el sitio y después restáurelo.`,
    mail_refused: ({ step, said }) => `${mailCures[step]} La respuesta fue: ${said}`,
    offsite_refused: ({ why, said }) => `${offsiteCures[why]} No se cambió nada. La respuesta fue: ${said}`,
    too_many_attempts: ({ seconds }) =>
      `Demasiados intentos fallidos. Inténtelo de nuevo en ${seconds === 1 ? 'un segundo' : `${seconds} segundos`}.`,
    too_many_inquiries: ({ email }) => `Llegaron demasiados mensajes en esta hora y este no se recibió. Envíelo a ${email}.`,
    disk_read_only: ({ folder }) =>
      `El sitio no puede escribir en la carpeta ${folder} del servidor. No se cambió nada. Dé permiso de escritura en esa carpeta e inténtelo de nuevo.`,
    disk_full: ({ neededMegabytes, freeMegabytes }) =>
      `No hay suficiente espacio en el disco del servidor: se necesitan ${number(neededMegabytes)} MB y hay ${number(freeMegabytes)} MB libres. No se cambió nada. Libere espacio e inténtelo de nuevo.`,
  },
}
