import type { Counts } from '#contract/backups.ts'
import type { BackupTexts, Missing } from '../en/backups.ts'
import { titles } from './titles.ts'

const counted = ({ projects, contacts, images, inquiryPhotos }: Counts) =>
  `${projects} proyectos, ${contacts} mensajes, ${images} fotos${inquiryPhotos > 0 ? `, ${inquiryPhotos} fotos de visitantes` : ''}`

const after = ({ why, again }: Missing) => `${why && ` ${why}`}${again && ` Se intenta otra vez ${again}.`}`

const counting = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** Es la una, y son las demás. */
const aLas = (time: string) => `${time.startsWith('01') ? 'a la' : 'a las'} ${time}`

export const backups: BackupTexts = {
  title: 'Gestión de respaldos',
  line: {
    loading: 'Revisando qué tan a salvo está todo…',
    failed: 'No se pudo saber qué tan a salvo está todo.',
    safe: (when) => `A salvo lo que había ${when}`,
    checked: 'revisado',
    copied: 'copiado en otro lugar',
    triedOut: (day) => `probado el ${day}`,
    newest: (when) => `Lo que había ${when} está a salvo y revisado.`,
    missing: {
      nothing_yet: () => 'Todavía no hay ningún respaldo completo. Presione «Crear respaldo completo» para hacer uno ahora.',
      nightly_off: () => 'Ningún respaldo se hace por sí solo. Actívelo en «Cada noche».',
      night_failed: (known) => `La última noche no hubo respaldo.${after(known)}`,
      night_late: () => 'La última noche no hubo respaldo. Presione «Crear respaldo completo» para hacer uno ahora.',
      not_whole: () =>
        'Al respaldo completo más nuevo le faltan fotos: sus archivos ya no están o están dañados. Súbalas otra vez y haga otro respaldo.',
      records_missing: () =>
        'Al respaldo completo más nuevo le faltan registros que no se pueden leer. Presione «Crear respaldo completo» para ver cuáles.',
      copy_failed: (known) => `El respaldo más nuevo no se pudo copiar en otro lugar.${after(known)}`,
      copy_late: () => 'El respaldo más nuevo todavía no está copiado en otro lugar. Vea si se puede llegar al segundo lugar.',
      trial_failed: (known) =>
        `La prueba del respaldo más nuevo no salió bien.${known.why && ` ${known.why}`} Haga otro respaldo completo.`,
    },
    next: (when) => `El siguiente se hace ${when}.`,
    untried: 'El respaldo más nuevo no se pudo probar: no hay suficiente espacio en el disco del servidor.',
    nowhereElse:
      'Los respaldos están solo en esta máquina y se perderían con ella. docs/deploy.md explica cómo indicar un segundo lugar.',
    at: {
      today: (time) => `hoy ${aLas(time)}`,
      yesterday: (time) => `ayer ${aLas(time)}`,
      tomorrow: (time) => `mañana ${aLas(time)}`,
      on: (time, day) => `el ${day} ${aLas(time)}`,
    },
  },
  nights: {
    open: 'Cada noche',
    title: 'Cada noche',
    text: 'Un respaldo completo, leído de nuevo y revisado, sin que nadie tenga que acordarse.',
    nightly: 'Hacer un respaldo completo cada noche',
    nightlyHint: 'Si la máquina estaba apagada a esa hora, lo hace al encenderse.',
    at: 'A las',
    atHint: (zone) => `Según el reloj de ${zone}.`,
    keep: 'Cuánto tiempo se conservan',
    keepHint: 'Uno por cada día, semana y mes. Lo que usted hace a mano se conserva hasta que lo elimine.',
    daily: 'Días',
    weekly: 'Semanas',
    monthly: 'Meses',
    notATime: 'Aquí hace falta una hora, por ejemplo 03:00.',
    between: (least, most) => `Aquí hace falta un número entero de ${least} a ${most}.`,
    save: 'Guardar',
    saving: 'Guardando...',
    done: 'Guardado. Así se hacen y se conservan los respaldos desde ahora.',
    failed: 'Los ajustes no se pudieron guardar. Inténtelo de nuevo.',
  },
  working: {
    kinds: {
      night: 'Se está haciendo el respaldo de la noche',
      complete: 'Se está haciendo un respaldo completo',
      database: 'Se está haciendo un respaldo de la base de datos',
      restore: 'Se está restaurando un respaldo',
      import: 'Se está importando una exportación',
      undo: 'Se está deshaciendo una restauración',
    },
    steps: {
      reading: 'leyendo',
      writing: 'escribiendo fotos',
      checking: 'revisando fotos',
      storing: 'guardando fotos',
      merging: 'escribiendo textos y mensajes',
    },
    line: (kind, step) => `${kind}: ${step}`,
    counted: (done, total) => `${done} de ${total}`,
    others: 'Todo lo demás que hace o restaura respaldos espera hasta que termine.',
    refused: 'Hay otro respaldo o restauración en marcha. Espere a que termine e inténtelo de nuevo.',
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
    text: 'Proyectos, mensajes y los textos del sitio en un archivo JSON, que se guarda aquí y se descarga.',
    action: 'Exportar datos',
    busy: 'Exportando...',
    done: 'Los datos se exportaron y descargaron',
    failed: 'No se pudieron exportar los datos',
  },
  import: {
    title: 'Importar datos',
    text: 'Agrega lo que falte de una exportación. No cambia ni elimina nada.',
    action: 'Importar datos',
    dialogText:
      'Pegue el contenido de una exportación o suelte aquí el archivo. Lo que ya está en el sitio se queda como está.',
    label: 'Datos JSON',
    placeholder: '{ "projects": [ … ], "contacts": [ … ] }',
    choose: 'Elegir un archivo',
    pastedName: 'pegado.json',
    large: (name, size) => `${name} (${size}) no se muestra aquí. Abajo se dice qué traería.`,
    another: 'Pegar otra cosa',
    submit: 'Importar',
    busy: 'Importando...',
    invalid: 'El formato JSON no es válido',
    done: (projects, contacts) => `Importación terminada: ${projects} proyectos, ${contacts} mensajes`,
    failed: 'No se pudieron importar los datos',
  },
  leftOut: (records) =>
    `Se creó sin registros que no se pueden leer: ${titles(records)}. Ábralos y guárdelos otra vez, y luego cree otro.`,
  complete: {
    title: 'Respaldo completo',
    text: 'Un zip con datos e imágenes, leído de nuevo y verificado antes de aparecer en la lista.',
    action: 'Crear respaldo completo',
    busy: 'Creando...',
    done: 'El respaldo completo con imágenes se creó correctamente',
    missing: (images, shownBy, sent) => {
      const whose = titles(shownBy)
      const theirs =
        sent < images
          ? `${sent === 1 ? 'Una de ellas llegó' : `${sent} de ellas llegaron`} con mensajes: restaure un respaldo completo que las tenga. Suba otra vez las demás.`
          : 'Llegaron con mensajes: restaure un respaldo completo que las tenga.'
      return images === 1
        ? `El respaldo completo se creó, pero le falta una foto: su archivo ya no está.${whose ? ` Es de ${whose}.` : ''} ${sent > 0 ? 'Llegó con un mensaje: restaure un respaldo completo que la tenga.' : 'Súbala otra vez.'}`
        : `El respaldo completo se creó, pero le faltan ${images} fotos: sus archivos ya no están.${whose ? ` Son de ${whose}.` : ''} ${sent > 0 ? theirs : 'Súbalas otra vez.'}`
    },
    failed: 'No se pudo crear el respaldo completo',
  },
  restore: {
    title: 'Restaurar respaldo completo',
    text: 'Agrega lo que falte de un zip y devuelve los proyectos cambiados y los textos del sitio a como estaban.',
    action: 'Restaurar respaldo',
    dialogText:
      'Todo el archivo se revisa antes de cambiar algo, y primero se guarda un punto de restauración. No se elimina nada.',
    choose: 'Elegir un archivo .zip',
    drop: 'o suéltelo aquí',
    chosen: (name, size) => `${name} (${size})`,
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
    loading: 'Un momento…',
    failed: 'No se pudo cargar esta parte del panel.',
    uploading: 'Subiendo',
    resumed: 'La subida sigue donde se quedó',
    keeps: 'Lo que ya llegó se conserva: cierre esto y elija después el mismo archivo, y seguirá donde se quedó.',
    goOn: 'Seguir',
    looking: 'Revisando qué cambiaría. Todavía no se cambia nada…',
    lookFailed: 'No se pudo saber qué cambiaría. No se cambió nada.',
    lookAgain: 'Revisar otra vez',
    lost: 'Se perdió la conexión. Si el trabajo ya empezó, sigue en el servidor; aquí se verá cómo terminó en cuanto responda.',
    lostUndone: 'Se perdió la conexión y no se cambió nada. Inténtelo de nuevo.',
  },
  preview: {
    title: 'Lo que pasaría',
    of: (filename, made) => `${filename}${made && `, hecho el ${made}`}`,
    nothing: 'Todo lo que hay en el archivo ya está aquí. No cambiaría nada.',
    names: {
      projects: 'Modelos',
      contacts: 'Mensajes',
      images: 'Fotos',
      inquiryPhotos: 'Fotos de visitantes',
      site: 'Textos del sitio',
    },
    added: (count) => counting(count, 'se agrega', 'se agregan'),
    changed: (count) => counting(count, 'cambia', 'cambian'),
    alreadyThere: (count) => counting(count, 'ya está', 'ya están'),
    missing: (photos) =>
      photos === 1
        ? 'Una foto no está ni en el archivo ni en este sitio.'
        : `${photos} fotos no están ni en el archivo ni en este sitio.`,
    changes: { added: 'Se agrega', changed: 'Cambia', out_of_trash: 'Sale de la papelera' },
    models: 'Modelos que se agregarían o cambiarían',
    all: 'Todos estos',
    chosen: (count, all) => `${count} de ${all} elegidos`,
    take: (title) => `Tomar ${title}`,
    called: (title) => `Aquí: ${title}`,
    differing: (count) => (count === 1 ? 'Un campo es distinto' : `${count} campos son distintos`),
    more: (count) =>
      count === 1 ? 'Uno más no se muestra aquí y también se toma.' : `${count} más no se muestran aquí y también se toman.`,
    site: 'Textos y fotos del sitio que cambiarían',
    here: 'Ahora',
    theirs: 'En el archivo',
    photoHere: (title) => `${title}: la foto de ahora`,
    photoTheirs: (title) => `${title}: la foto del archivo`,
    empty: '(vacío)',
    asItCame: '(como venía)',
    yes: 'Sí',
    no: 'No',
    fields: {
      createdAt: 'Fecha',
      captions: 'Pies de las fotos',
    },
  },
  report: {
    title: { import: 'Lo que hizo la última importación', restore: 'Lo que hizo la última restauración' },
    added: (counts) => `Se agregó: ${counted(counts)}`,
    broughtBack: ({ projects, contacts }) => `Volvieron a como estaban: ${projects} proyectos, ${contacts} mensajes`,
    alreadyThere: (counts) => `Ya estaba: ${counted(counts)}`,
    site: ({ added, broughtBack }) =>
      added + broughtBack > 0
        ? `Textos y fotos del sitio: ${added} agregados, ${broughtBack} devueltos a como estaban. La versión anterior se conserva.`
        : '',
    restorePoint: (filename) => `Cómo estaba antes quedó guardado en ${filename}`,
    unchanged: 'No hizo falta cambiar nada.',
    missing: (photos) =>
      photos === 1
        ? 'Una de sus fotos no está en este sitio. Restaure un respaldo completo para traerla.'
        : `${photos} de sus fotos no están en este sitio. Restaure un respaldo completo para traerlas.`,
    of: (filename, when) => `${filename}, ${when}`,
    putAway: 'Quitar este informe de la vista',
    putAwayTip: 'Quitar de la vista',
    putAwayFailed: 'El informe no se pudo quitar de la vista. Inténtelo de nuevo.',
    undo: 'Deshacer',
    undoHint: 'Es posible hasta que se quite este informe o se restaure otra cosa.',
    undoing: 'Deshaciendo...',
    undoTitle: '¿Deshacerlo?',
    undoText: (added, broughtBack, messages) =>
      [
        'Todo lo que cambió vuelve a ser como antes.',
        broughtBack > 0 &&
          `${counting(broughtBack, 'modelo vuelve a sus textos y fotos', 'modelos vuelven a sus textos y fotos')} de antes.`,
        added > 0 && `${counting(added, 'modelo que se agregó va', 'modelos que se agregaron van')} a la papelera.`,
        messages > 0 && `${counting(messages, 'mensaje que se agregó se quita', 'mensajes que se agregaron se quitan')}.`,
        'Lo que alguien haya cambiado desde entonces se queda como está.',
      ]
        .filter(Boolean)
        .join(' '),
    undoFailed: 'No se pudo deshacer. No se cambió nada.',
    undoDone: 'Deshecho: todo está como antes',
    undone: (when) => `Se deshizo el ${when}`,
    undid: ({ broughtBack, takenOut }) =>
      `Como antes: ${broughtBack.projects} proyectos, ${broughtBack.contacts} mensajes. Se quitó: ${takenOut.projects} proyectos (en la papelera), ${takenOut.contacts} mensajes.`,
    undidSite: 'Los textos del sitio están como estaban.',
    left: (count) =>
      count === 1
        ? 'Uno lo cambió alguien desde entonces y se quedó como está.'
        : `${count} los cambió alguien desde entonces y se quedaron como están.`,
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
    encrypted: 'Lo que descarga de aquí está cifrado. El programa age lo abre con el secreto de este sitio.',
    makers: { night: 'Hecho por sí solo', person: 'Hecho a mano', restore: 'Antes de restaurar' },
    copied: 'Copiado en otro lugar',
    restore: 'Restaurar',
    restoreOf: (filename) => `Restaurar ${filename}`,
    delete: 'Eliminar',
    deleteOf: (filename) => `Eliminar ${filename}`,
    deleteTitle: 'Eliminar respaldo',
    deleteText: '¿Seguro que desea eliminar este respaldo del servidor? Esta acción no se puede deshacer.',
    deleteCopied: 'Su copia en otro lugar se conserva.',
    lastText:
      'Este es el último respaldo completo al que se puede volver. Sin él, lo que se pierda estará perdido para siempre.',
    lastBox: 'Lo sé. Eliminar también el último.',
    deleted: 'Respaldo eliminado',
    deleteFailed: 'El respaldo no se pudo eliminar. Inténtelo de nuevo.',
    more: (left) => `Mostrar más respaldos (quedan ${left})`,
  },
  info: {
    title: 'Qué es cada respaldo',
    points: [
      ['Respaldo de la base de datos', 'toda la base en un archivo, para el día en que haya que rehacer el servidor.'],
      ['Exportar datos', 'proyectos, mensajes y los textos del sitio en una forma que cualquier programa puede leer.'],
      ['Respaldo completo', 'proyectos, mensajes, textos y fotos en un zip: todo lo que ven y envían los visitantes.'],
    ],
    tips: [
      'Consejo: si el respaldo de la base de datos falla por cuestiones de versión, Exportar datos es la opción segura.',
      'Importar combina con los datos existentes sin duplicarlos.',
      'Guarde una copia en otro lugar: un respaldo en el mismo disco se pierde con él.',
    ],
    aside: ({ photos, size, since, days }) =>
      photos === 1
        ? `Una foto (${size}) que ningún proyecto usa está apartada desde el ${since}. Se conserva durante ${days} días de funcionamiento del sitio y vuelve por sí sola cuando un proyecto la muestra.`
        : `${photos} fotos (${size}) que ningún proyecto usa están apartadas desde el ${since}. Se conservan durante ${days} días de funcionamiento del sitio y vuelven por sí solas cuando un proyecto las muestra.`,
  },
  types: { database: 'Base de datos', complete: 'Completo', export: 'Exportación' },
}
