import type { FirstStepsTexts } from '../en/first-steps.ts'

export const firstSteps: FirstStepsTexts = {
  title: 'Primeros pasos',
  progress: (done, all) => `${done} de ${all} ${done === 1 ? 'listo' : 'listos'}`,
  done: '(listo)',
  steps: {
    contact: {
      name: 'Su nombre y sus datos de contacto',
      todo: 'Escriba el nombre de su taller, su correo electrónico y un teléfono, y publíquelos.',
    },
    hero: { name: 'Su foto de portada', todo: 'Elija una foto de su mejor trabajo para el inicio de la página y publíquela.' },
    story: {
      name: 'Su historia y sus cifras',
      todo: 'Cambie el texto de muestra sobre el autor y las cuatro cifras por los suyos, en todos los idiomas, y publíquelos.',
    },
    model: { name: 'Su primer proyecto', todo: 'Agregue un proyecto con sus fotos y su historia.' },
    open: { name: 'Abrir el sitio', todo: 'Los visitantes leen «Próximamente» hasta que usted lo abra.' },
    mail: { name: 'Reciba aviso de los mensajes', todo: 'Indique su proveedor de correo y envíese un correo de prueba.' },
    backup: {
      name: 'Primer respaldo',
      todo: 'Cree un respaldo completo: contiene sus proyectos, mensajes y fotos.',
    },
    copy: { name: 'Copia externa', todo: 'Descargue un respaldo completo y guárdelo en otro equipo.' },
  },
  demo: {
    name: 'Quitar los proyectos de muestra',
    todo: (count) =>
      count === 1
        ? 'Los visitantes todavía ven un proyecto de muestra. Los que usted editó se quedan.'
        : `Los visitantes todavía ven ${count} proyectos de muestra. Los que usted editó se quedan.`,
    remove: (count) => (count === 1 ? 'Quitarlo' : `Quitar los ${count}`),
    removed: (count) =>
      count === 1 ? 'Un proyecto de muestra pasó a la papelera.' : `${count} proyectos de muestra pasaron a la papelera.`,
    noneLeft: 'Ya no quedaban proyectos de muestra.',
    removeFailed: 'No se pudieron quitar los proyectos de muestra. Siguen todos ahí.',
    restored: (count) =>
      count === 1
        ? 'Un proyecto de muestra está de nuevo en su lugar.'
        : `${count} proyectos de muestra están de nuevo en su lugar.`,
    notInTrash: 'Los proyectos de muestra ya no están en la papelera. Se restauraron o se eliminaron en otro lugar.',
    restoreFailed: 'No se pudieron restaurar los proyectos de muestra. Siguen en la papelera.',
  },
  opening: {
    closed: 'El sitio aún no está abierto. Los visitantes leen «Próximamente».',
    action: 'Abrir el sitio',
    pending: 'Abriendo...',
    done: 'El sitio está abierto. Los visitantes ya lo ven.',
    undone: 'El sitio está cerrado de nuevo. Los visitantes leen «Próximamente».',
    failed: 'No se pudo abrir el sitio.',
    undoFailed: 'No se pudo cerrar de nuevo el sitio.',
    title: '¿Abrir el sitio?',
    ready: 'Quien tenga la dirección lo verá, y los buscadores lo encontrarán.',
    text: 'Los visitantes verían todavía contenido de muestra. Faltan estos pasos:',
  },
  allDone: 'Todos los primeros pasos están listos. El sitio es suyo.',
  failed: 'No se pudieron cargar los primeros pasos.',
  hide: 'Ocultar esta lista',
  hidden: 'Los primeros pasos están ocultos.',
  whereHidden: 'Puede mostrarlos de nuevo en Gestión de administradores.',
  hideFailed: 'No se pudieron ocultar los primeros pasos.',
  show: 'Mostrar los primeros pasos',
  showFailed: 'No se pudieron mostrar los primeros pasos.',
}
