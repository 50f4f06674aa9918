import type { Counts, Owners } from '#contract/backups.ts'
import type { BackupTexts, Failure } from '../en/backups.ts'
import { inWords } from '../in-words.ts'

/** `«Galeón», el propio sitio y el mensaje de «Ada»`; empty when there is none. */
function ownersOf({ projects, senders, others, site }: Owners) {
  const from = senders.map((name) => `«${name}»`)
  return inWords(
    [
      ...projects.map((title) => `«${title}»`),
      site && 'el propio sitio',
      from.length > 0 && `${from.length === 1 ? 'el mensaje' : 'los mensajes'} de ${inWords(from, 'y')}`,
      others > 0 && (others === 1 ? 'otro más' : `otros ${others.toLocaleString('es-MX')}`),
    ],
    'y',
  )
}

const counting = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

const projectsAndMessages = ({ projects, contacts }: Pick<Counts, 'projects' | 'contacts'>) =>
  `${counting(projects, 'proyecto', 'proyectos')}, ${counting(contacts, 'mensaje', 'mensajes')}`

const counted = ({ images, inquiryPhotos, ...records }: Counts) => {
  const sent = inquiryPhotos > 0 ? `, ${counting(inquiryPhotos, 'foto', 'fotos')} de visitantes` : ''
  return `${projectsAndMessages(records)}, ${counting(images, 'foto', 'fotos')}${sent}`
}

const after = ({ reason, nextTry }: Failure) => `${reason && ` ${reason}`}${nextTry && ` Próximo intento: ${nextTry}.`}`

/** Es la una, y son las demás. */
const aLas = (time: string) => `${time.startsWith('01') ? 'a la' : 'a las'} ${time}`

export const backups: BackupTexts = {
  title: 'Gestión de respaldos',
  all: 'Todos los respaldos',
  line: {
    loading: 'Revisando el estado de los respaldos…',
    failed: 'No se pudo cargar el estado de los respaldos.',
    backedUp: (when) => `Todo está a salvo: ${when}`,
    verified: 'comprobado',
    copiedOffsite: 'con copia externa',
    makeOne: 'Hacer uno ahora',
    bringBack: 'Recuperar algo',
    restoreTested: (day) => `restauración probada el ${day}`,
    latest: (when) => `El último respaldo comprobado: ${when}.`,
    warnings: {
      nothing_yet: () => 'Todavía no hay respaldo completo. Presione «Crear respaldo completo» para hacer uno ahora.',
      nightly_off: () => 'Los respaldos nocturnos están desactivados. Actívelos en «Horario».',
      night_failed: (failure) => `Falló el respaldo de anoche.${after(failure)}`,
      night_late: () => 'Falta el respaldo de anoche. Presione «Crear respaldo completo» para hacer uno ahora.',
      not_whole: () =>
        'Al último respaldo completo le faltan fotos: sus archivos ya no están o están dañados. Súbalas de nuevo y cree otro.',
      records_missing: () =>
        'Al último respaldo completo le faltan registros que no se pueden leer. Presione «Crear respaldo completo» para ver cuáles.',
      copy_failed: (failure) => `Falló la copia externa del último respaldo.${after(failure)}`,
      copy_late: () => 'El último respaldo todavía no tiene copia externa. Compruebe que el destino externo responda.',
      trial_failed: (failure) =>
        `Falló la prueba de restauración del último respaldo.${failure.reason && ` ${failure.reason}`} Cree otro respaldo completo.`,
    },
    next: (when) => `Próximo respaldo: ${when}.`,
    noRestoreTest: 'No se probó la restauración del último respaldo: no hay suficiente espacio en el disco del servidor.',
    testedOnBuiltIn: 'La restauración se probó con la base de datos incorporada: PostgreSQL no permite a este sitio crear una.',
    noOffsiteCopy:
      'Los respaldos están solo en este servidor y se perderían con él. Para tener copias externas, vea docs/deploy.md.',
    at: {
      today: (time) => `hoy ${aLas(time)}`,
      yesterday: (time) => `ayer ${aLas(time)}`,
      tomorrow: (time) => `mañana ${aLas(time)}`,
      lastNight: (time) => `anoche ${aLas(time)}`,
      on: (time, day) => `el ${day} ${aLas(time)}`,
    },
  },
  schedule: {
    open: 'Horario',
    title: 'Respaldos nocturnos',
    text: 'Se hacen y se verifican automáticamente.',
    nightly: 'Hacer un respaldo completo cada noche',
    nightlyHint: 'Si el servidor está apagado a esa hora, se hace al encenderse.',
    at: 'Hora',
    atHint: (now) => `Según el reloj del taller, que ahora marca las ${now}.`,
    keep: 'Cuántos conservar',
    keepHint: 'Uno por día, semana y mes. Los que usted hace se conservan hasta que los elimine.',
    daily: 'Días',
    weekly: 'Semanas',
    monthly: 'Meses',
    notATime: 'Escriba una hora, por ejemplo 03:00.',
    between: (least, most) => `Escriba un número entero de ${least} a ${most}.`,
    save: 'Guardar',
    saving: 'Guardando...',
    done: 'Horario guardado.',
    failed: 'No se pudo guardar el horario. Inténtelo de nuevo.',
  },
  working: {
    kinds: {
      night: 'Haciendo el respaldo nocturno',
      complete: 'Haciendo un respaldo completo',
      database: 'Haciendo un respaldo de la base de datos',
      export: 'Exportando los datos',
      preview: 'Preparando una vista previa',
      restore: 'Restaurando un respaldo',
      import: 'Importando una exportación',
      undo: 'Deshaciendo una restauración',
      copy: 'Haciendo la copia externa de un respaldo',
      'restore-test': 'Probando la restauración del último respaldo',
      integrity: 'Revisando la base de datos y las fotos',
    },
    steps: {
      reading: 'leyendo',
      writing: 'escribiendo fotos',
      checking: 'revisando fotos',
      storing: 'guardando fotos',
      merging: 'escribiendo textos y mensajes',
    },
    line: (kind, step) => `${kind}: ${step}`,
    others: 'Los demás respaldos y restauraciones esperan a que termine.',
    refused: 'Hay otro respaldo o restauración en curso. Espere a que termine e inténtelo de nuevo.',
  },
  database: {
    title: 'Respaldo de la base de datos',
    text: 'Una copia de toda la base de datos, cuentas incluidas, guardada en el servidor.',
    action: 'Crear respaldo de BD',
    busy: 'Creando...',
    done: 'El respaldo de la base de datos se creó correctamente',
    failed: 'No se pudo crear el respaldo de la base de datos',
  },
  export: {
    title: 'Exportar datos',
    text: 'Proyectos, mensajes y textos del sitio en un archivo JSON, que se guarda en el servidor y se descarga.',
    action: 'Exportar datos',
    busy: 'Exportando...',
    done: 'Los datos se exportaron y descargaron',
    failed: 'No se pudieron exportar los datos',
  },
  import: {
    title: 'Importar datos',
    text: 'Agrega lo nuevo de una exportación. No cambia ni elimina nada.',
    action: 'Importar datos',
    dialogText: 'Pegue una exportación o suelte aquí el archivo. Lo que ya está en el sitio se queda como está.',
    label: 'Datos JSON',
    placeholder: '{ "projects": [ … ], "contacts": [ … ] }',
    choose: 'Elegir un archivo',
    pastedName: 'pegado.json',
    another: 'Pegar otra cosa',
    submit: 'Importar',
    busy: 'Importando...',
    invalid: 'El formato JSON no es válido',
    done: (projects, contacts) => `Importación terminada: ${projects} proyectos, ${contacts} mensajes`,
    failed: 'No se pudieron importar los datos',
  },
  leftOut: (records) =>
    `Se creó sin registros que no se pueden leer: ${ownersOf(records)}. Si hay un proyecto entre ellos, ábralo, guárdelo y repita la operación.`,
  complete: {
    title: 'Respaldo completo',
    text: 'Un zip con datos e imágenes, verificado antes de aparecer en la lista.',
    action: 'Crear respaldo completo',
    busy: 'Creando...',
    done: 'El respaldo completo con imágenes se creó correctamente',
    owners: ownersOf,
    missing: (images, owners) =>
      [
        images === 1
          ? 'El respaldo completo se creó, pero le falta una foto: su archivo falta o está dañado.'
          : `El respaldo completo se creó, pero le faltan ${images} fotos: sus archivos faltan o están dañados.`,
        ownersOf(owners) && `Dónde: ${ownersOf(owners)}.`,
        owners.projects.length > 0 && 'Suba otra vez las fotos de proyectos.',
        owners.senders.length > 0 && 'Para las fotos de mensajes, restaure un respaldo completo que las tenga.',
      ]
        .filter(Boolean)
        .join(' '),
    failed: 'No se pudo crear el respaldo completo',
  },
  restore: {
    title: 'Restaurar respaldo completo',
    text: 'Agrega lo nuevo de un zip y restaura los proyectos cambiados y los textos del sitio.',
    action: 'Restaurar respaldo',
    dialogText: 'Antes de cambiar algo se revisa todo el archivo. No se elimina nada y se puede deshacer.',
    choose: 'Elegir un archivo .zip',
    drop: 'o suéltelo aquí',
    submit: 'Restaurar',
    busy: 'Restaurando...',
    notZip: 'Por favor seleccione un archivo ZIP',
    done: (projects, contacts, images) =>
      `Respaldo completo restaurado: ${projects} proyectos, ${contacts} mensajes, ${images} imágenes encontradas`,
    exportTitle: 'Restaurar exportación',
    exportDone: (projects, contacts) => `Exportación restaurada: ${projects} proyectos, ${contacts} mensajes`,
    failed: 'No se pudo restaurar el respaldo completo',
    uploadFailed: 'No se pudo subir el archivo',
  },
  merge: {
    uploading: 'Subiendo',
    checking: 'Revisando qué cambiaría…',
    previewFailed: 'No se pudo preparar la vista previa. No se cambió nada.',
    retry: 'Intentar de nuevo',
    lost: 'Se perdió la conexión. Si el trabajo ya empezó, sigue en el servidor; el resultado aparecerá aquí en cuanto el servidor responda.',
    lostUnchanged: 'Se perdió la conexión y no se cambió nada. Inténtelo de nuevo.',
  },
  preview: {
    title: 'Lo que cambiaría',
    of: (filename, made) => `${filename}${made && `, hecho el ${made}`}`,
    nothing: 'El sitio ya tiene todo lo que hay en este archivo. No cambiaría nada.',
    names: {
      projects: 'Proyectos',
      contacts: 'Mensajes',
      images: 'Fotos',
      inquiryPhotos: 'Fotos de visitantes',
      site: 'Textos del sitio',
    },
    added: (count) => counting(count, 'se agrega', 'se agregan'),
    changed: (count) => counting(count, 'cambia', 'cambian'),
    alreadyThere: (count) => `${count} sin cambios`,
    missing: (photos) =>
      photos === 1
        ? 'Una foto no está ni en el archivo ni en este sitio.'
        : `${photos} fotos no están ni en el archivo ni en este sitio.`,
    changes: { added: 'Se agrega', changed: 'Cambia', out_of_trash: 'Sale de la papelera' },
    models: 'Proyectos por agregar o cambiar',
    all: 'Elegir todos',
    chosen: (count, all) => `${count} de ${all} seleccionados`,
    include: (title) => `Incluir ${title}`,
    titleOnSite: (title) => `En el sitio: ${title}`,
    differing: (count) => (count === 1 ? 'Un campo es distinto' : `${count} campos son distintos`),
    more: (count) => (count === 1 ? 'Se incluye uno más que no se muestra.' : `Se incluyen ${count} más que no se muestran.`),
    site: 'Textos y fotos del sitio por cambiar',
    current: 'Ahora',
    incoming: 'En el archivo',
    photos: (current, incoming) => {
      if (current !== incoming) return `${counting(current, 'foto', 'fotos')} ahora, ${incoming} en el archivo`
      return incoming === 1 ? 'El archivo tiene otra foto' : 'El archivo tiene otras fotos'
    },
    empty: '(vacío)',
    original: '(original)',
    yes: 'Sí',
    no: 'No',
    fields: { createdAt: 'Fecha', captions: 'Pies de foto' },
  },
  report: {
    title: { import: 'Última importación', restore: 'Última restauración' },
    added: (counts) => `Agregado: ${counted(counts)}`,
    broughtBack: (counts) => `Restaurado: ${projectsAndMessages(counts)}`,
    alreadyThere: (counts) => `Sin cambios: ${counted(counts)}`,
    site: ({ added, broughtBack }) =>
      added + broughtBack > 0
        ? `Textos y fotos del sitio: ${counting(added, 'agregado', 'agregados')}, ${counting(broughtBack, 'restaurado', 'restaurados')}. La versión anterior se conserva.`
        : '',
    unchanged: 'No hizo falta cambiar nada.',
    missing: (photos) =>
      photos === 1
        ? 'Una de sus fotos no está en este sitio. Restaure un respaldo completo que la tenga.'
        : `${photos} de sus fotos no están en este sitio. Restaure un respaldo completo que las tenga.`,
    of: (filename, when) => `${filename}, ${when}`,
    dismiss: 'Descartar este informe',
    dismissTip: 'Descartar',
    dismissFailed: 'No se pudo descartar el informe. Inténtelo de nuevo.',
    undo: 'Deshacer',
    undoHint: 'Disponible hasta que descarte este informe o restaure otra cosa.',
    undoing: 'Deshaciendo...',
    undoTitle: '¿Deshacerlo?',
    undoText: (added, broughtBack, messages) =>
      [
        'Todo lo que cambió vuelve a como estaba.',
        broughtBack > 0 && `${counting(broughtBack, 'proyecto recupera', 'proyectos recuperan')} sus textos y fotos de antes.`,
        added > 0 && `${counting(added, 'proyecto agregado pasa', 'proyectos agregados pasan')} a la papelera.`,
        messages > 0 && `${counting(messages, 'mensaje agregado se quita', 'mensajes agregados se quitan')}.`,
        'Lo que se haya cambiado desde entonces se queda como está.',
      ]
        .filter(Boolean)
        .join(' '),
    undoFailed: 'No se pudo deshacer. No se cambió nada.',
    undoDone: 'Deshecho: todo está como antes',
    undone: (when) => `Se deshizo el ${when}`,
    reverted: ({ broughtBack, takenOut }) =>
      `Revertido: ${projectsAndMessages(broughtBack)}. Quitado: ${counting(takenOut.projects, 'proyecto', 'proyectos')} (en la papelera), ${counting(takenOut.contacts, 'mensaje', 'mensajes')}.`,
    revertedSite: 'Los textos del sitio están como antes.',
    left: (count) =>
      count === 1
        ? 'Uno había cambiado desde entonces y se queda como está.'
        : `${count} habían cambiado desde entonces y se quedan como están.`,
  },
  list: {
    title: 'Respaldos disponibles',
    loading: 'Cargando respaldos…',
    failed: 'No se pudieron cargar los respaldos',
    empty: 'No se encontraron respaldos',
    refresh: 'Actualizar la lista de respaldos',
    refreshTip: 'Actualizar',
    unknownDate: 'Desconocida',
    missing: (photos) => (photos === 1 ? 'Falta 1 foto' : `Faltan ${photos} fotos`),
    missingRecords: (records) => (records === 1 ? 'Falta 1 registro' : `Faltan ${records} registros`),
    download: 'Descargar',
    downloadOf: (filename) => `Descargar ${filename}`,
    encrypted: 'Las descargas están cifradas. El programa age las descifra con el secreto de este sitio.',
    makers: { night: 'hecho automáticamente', person: 'hecho a mano', restore: 'punto de restauración' },
    copied: 'Copia externa',
    restore: 'Restaurar',
    restoreOf: (filename) => `Restaurar ${filename}`,
    delete: 'Eliminar',
    deleteOf: (filename) => `Eliminar ${filename}`,
    deleteTitle: 'Eliminar respaldo',
    deleteText: '¿Seguro que desea eliminar este respaldo del servidor? Esta acción no se puede deshacer.',
    deleteCopied: 'Su copia externa se conserva.',
    lastText: 'Este es su último respaldo completo. Sin él, los datos perdidos no se pueden recuperar.',
    lastBox: 'Entiendo. Eliminarlo de todos modos.',
    deleted: 'Respaldo eliminado',
    deleteFailed: 'El respaldo no se pudo eliminar. Inténtelo de nuevo.',
    more: (left) => `Mostrar más respaldos (${left === 1 ? 'queda' : 'quedan'} ${left})`,
  },
  info: {
    title: 'Qué es cada respaldo',
    points: [
      ['Respaldo de la base de datos', 'toda la base en un archivo, para reconstruir el servidor.'],
      ['Exportar datos', 'proyectos, mensajes y textos del sitio en un formato que cualquier programa puede leer.'],
      ['Respaldo completo', 'proyectos, mensajes, textos y fotos en un zip: todo lo que ven y envían los visitantes.'],
    ],
    tips: [
      'Consejo: si el respaldo de la base de datos falla por cuestiones de versión, Exportar datos es la opción segura.',
      'Importar combina con los datos existentes sin duplicarlos.',
      'Tenga una copia externa: un respaldo en el mismo disco se pierde con él.',
    ],
    quarantine: ({ photos, size, since, days }) =>
      photos === 1
        ? `Una foto sin usar (${size}) está en cuarentena desde el ${since}. Se conserva al menos ${days} días y vuelve si un proyecto la usa.`
        : `${photos} fotos sin usar (${size}) están en cuarentena desde el ${since}. Se conservan al menos ${days} días y vuelven si un proyecto las usa.`,
  },
  types: { database: 'Base de datos', complete: 'Completo', export: 'Exportación' },
}
