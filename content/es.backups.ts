import type { Counts } from '#contract/backups.ts'
import type { BackupTexts } from './en.backups.ts'
import { titlesEs } from './titles.ts'

const counted = ({ projects, contacts, images, inquiryPhotos }: Counts) =>
  `${projects} proyectos, ${contacts} mensajes, ${images} fotos${inquiryPhotos > 0 ? `, ${inquiryPhotos} fotos de visitantes` : ''}`

export const backupsEs: BackupTexts = {
  title: 'Gestión de respaldos',
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
    submit: 'Importar',
    busy: 'Importando...',
    invalid: 'El formato JSON no es válido',
    done: (projects, contacts) => `Importación terminada: ${projects} proyectos, ${contacts} mensajes`,
    failed: 'No se pudieron importar los datos',
  },
  complete: {
    title: 'Respaldo completo',
    text: 'Un zip con datos e imágenes, leído de nuevo y verificado antes de aparecer en la lista.',
    action: 'Crear respaldo completo',
    busy: 'Creando...',
    done: 'El respaldo completo con imágenes se creó correctamente',
    missing: (images, shownBy, sent) => {
      const whose = titlesEs(shownBy)
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
    uploading: 'Subiendo',
    working: 'El archivo llegó. Se está revisando y restaurando…',
    notZip: 'Por favor seleccione un archivo ZIP',
    done: (projects, contacts, images) =>
      `Respaldo completo restaurado: ${projects} proyectos, ${contacts} mensajes, ${images} imágenes encontradas`,
    failed: 'No se pudo restaurar el respaldo completo',
    uploadFailed: 'No se pudo subir el archivo',
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
    download: 'Descargar',
    downloadOf: (filename) => `Descargar ${filename}`,
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
