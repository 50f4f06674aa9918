import type { CheckTexts } from '../en/checks.ts'
import { inWords } from '../in-words.ts'
import { sizeIn } from '../sizes.ts'

const locale = 'es-MX'
const size = (bytes: number) => sizeIn(locale, bytes)
const number = (count: number) => count.toLocaleString(locale)
/** De un día sin hora. */
const day = (date: string) => new Date(date).toLocaleDateString(locale, { dateStyle: 'long', timeZone: 'UTC' })
const moment = (at: string, timeZone: string) =>
  new Date(at).toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short', timeZone })
const mails = (count: number) => (count === 1 ? 'Un correo' : `${number(count)} correos`)
const lastReason = (reason: string | null) => (reason ? ` El servidor de correo dijo: ${reason}` : '')
const versions = ({ release, node }: { release: string; node: string }) => `Vitrina ${release} funciona con Node ${node}`

/** Settings that have a password. */
const lostNames: Record<string, string> = { mail: 'correo', offsite: 'copias externas', passphrase: 'frase de los respaldos' }

export const checks: CheckTexts = {
  title: '¿Cómo está mi sitio?',
  text: 'Lo que el sitio sabe de sí mismo. No pregunta nada fuera.',
  loading: 'Revisando…',
  failed: 'No se pudo revisar el sitio.',
  again: 'Revisar de nuevo',
  allGreen: 'Todo está bien.',
  open: (count) => (count === 1 ? 'Una cosa requiere atención.' : `${count} cosas requieren atención.`),
  show: 'Ver',
  showOf: (name) => `Ver: ${name}`,
  names: {
    settings: 'Configuración',
    address: 'Dirección',
    proxy: 'Proxy',
    demo: 'Cuenta de demostración',
    backups: 'Respaldos',
    disk: 'Espacio en disco',
    database: 'Base de datos',
    photos: 'Fotos',
    mail: 'Correo',
    clock: 'Reloj',
    version: 'Versión',
    accounts: 'Cuentas',
    visitors: 'Visitantes y buscadores',
  },
  levels: { green: 'Bien', amber: 'Requiere atención', red: 'Urgente' },
  unreadable: (reason) => `No se pudo revisar. (${reason})`,
  findings: {
    settings_accepted: () => ['Toda la configuración es válida.'],
    settings_refused: ({ reason }) => [reason],
    settings_lost: ({ names: lost }) => [
      `La clave de las contraseñas guardadas falta o es otra, así que no se pueden leer: ${inWords(
        lost.map((name) => lostNames[name]),
        'y',
      )}.`,
      'Escriba de nuevo esas contraseñas en Ajustes. La frase de los respaldos debe ser la que usted guardó.',
    ],
    address_secure: ({ url }) => [`Los visitantes llegan al sitio en ${url}, con cifrado.`],
    address_local: () => ['Al sitio solo se llega desde esta máquina.'],
    address_missing: () => [
      'El sitio no conoce su propia dirección: los enlaces compartidos no muestran imagen y los buscadores no reciben la lista de proyectos.',
      'Ponga la dirección en el panel, en Ajustes.',
    ],
    address_unencrypted: ({ url }) => [
      `Hasta donde el sitio puede ver, se acaba de llegar a ${url} sin cifrado.`,
      'El proxy debe redirigir http a https y enviar X-Forwarded-Proto: vea docs/deploy.md.',
    ],
    address_plain: ({ url }) => [
      `Los visitantes llegan al sitio en ${url}, sin cifrado: contraseñas y mensajes se pueden leer en el camino.`,
      'Consiga un certificado para el proxy (vea docs/deploy.md) y después ponga la dirección https en Ajustes.',
    ],
    proxy_none: () => ['No hay ningún proxy delante, ni se ha notado alguno.'],
    proxy_trusted: ({ proxies }) => [proxies === 1 ? 'Se confía en un proxy.' : `Se confía en ${proxies} proxies.`],
    proxy_not_trusted: () => [
      'Las peticiones llegan por un proxy en el que el sitio no confía, así que todos los visitantes parecen uno solo.',
      'Configure TRUST_PROXY: vea docs/deploy.md.',
    ],
    proxy_one_visitor: () => [
      'Todas las peticiones parecen venir de una sola dirección, así que todos los visitantes parecen uno solo.',
      'Si el sitio está detrás de un proxy, configure TRUST_PROXY: vea docs/deploy.md.',
    ],
    proxy_bypassed: () => [
      'Usted llegó al sitio sin pasar por el proxy que cuenta TRUST_PROXY. Quien pueda hacer eso puede hacerse pasar por cualquier visitante.',
      'Deje que solo el proxy llegue al puerto, o ponga TRUST_PROXY en 0: vea docs/deploy.md.',
    ],
    demo_gone: () => ['Ninguna cuenta tiene la contraseña de demostración.'],
    demo_active: () => [
      'Esta es la cuenta de demostración y todos conocen su contraseña.',
      'Cámbiela antes de poner este sitio en internet.',
    ],
    backups_here_only: ({ takenAt }) => [
      takenAt
        ? `Los respaldos solo existen en este servidor y se perderían con él. El último se descargó el ${day(takenAt)}.`
        : 'Los respaldos solo existen en este servidor y se perderían con él.',
      'Descargue un respaldo completo cada mes, o configure en Ajustes copias externas, en otra máquina.',
    ],
    disk_free: ({ free }) => [`${size(free)} libres.`],
    disk_unused: () => ['Nada se guarda en el disco de esta máquina.'],
    disk_low: ({ free, needed }) => [
      `Solo quedan ${size(free)}. Los respaldos y las actualizaciones necesitan unos ${size(needed)}.`,
      'Libere espacio en el servidor, conserve menos respaldos o consiga un disco más grande.',
    ],
    disk_inodes_low: ({ inodes }) => [
      `En el disco solo caben ${number(inodes)} archivos más.`,
      'Borre en el servidor los archivos que ya no se necesiten.',
    ],
    disk_full: ({ free }) => [
      `El disco está casi lleno: quedan ${size(free)}. Pronto se rechazarán fotos, mensajes y respaldos.`,
      'Libere espacio en el servidor ahora, o consiga un disco más grande.',
    ],
    disk_inodes_gone: ({ inodes }) => [
      `En el disco solo caben ${number(inodes)} archivos más. Pronto se rechazarán fotos y respaldos.`,
      'Borre en el servidor los archivos que ya no se necesiten.',
    ],
    disk_unwritable: ({ folder }) => [
      `No se puede escribir en ${folder}.`,
      'Compruebe que el disco no sea de solo lectura y que la carpeta pertenezca a la cuenta del sitio.',
    ],
    database_sound: ({ bytes, checkedAt }, timeZone) => [
      checkedAt
        ? `${size(bytes)}, sin daños al revisarla el ${moment(checkedAt, timeZone)}.`
        : `${size(bytes)}. Se revisa cada noche.`,
    ],
    database_damaged: ({ reason }) => [
      reason,
      'Detenga el sitio y vuelva al último respaldo de la base de datos: docs/deploy.md dice cómo. No cambie nada más antes.',
    ],
    database_unusable: ({ reason }) => [reason],
    photos_whole: ({ photos: count, checkedAt }, timeZone) => [
      count === 0
        ? 'Aún no hay fotos.'
        : count === 1
          ? `La única foto estaba en su lugar y sin daños el ${moment(checkedAt, timeZone)}.`
          : `Las ${number(count)} fotos estaban en su lugar el ${moment(checkedAt, timeZone)}, y las que se leyeron no tenían daños.`,
    ],
    photos_unchecked: () => ['Se revisan cada noche. Falta la primera revisión.'],
    photos_broken: ({ missing, damaged }) => [
      `Se perdieron archivos de fotos: ${inWords([missing > 0 && (missing === 1 ? 'falta una' : `faltan ${number(missing)}`), damaged > 0 && (damaged === 1 ? 'hay una dañada' : `hay ${number(damaged)} dañadas`)], 'y')}.`,
      'Presione «Crear respaldo completo» para ver de quién son. Súbalas de nuevo, o restaure un respaldo completo que las tenga.',
    ],
    mail_works: ({ to }) => [`Los mensajes se envían a ${to} y ninguno está detenido.`],
    mail_off: () => [
      'No se envía ningún correo: los mensajes nuevos solo se ven aquí.',
      'Configure el correo en el panel, en Ajustes.',
    ],
    mail_waiting: ({ mails: count, reason }) => [
      `${mails(count)} no se ${count === 1 ? 'ha' : 'han'} podido enviar y se volverá a intentar.${lastReason(reason)}`,
      'Los mensajes están a salvo aquí. Si continúa, revise la configuración del correo.',
    ],
    mail_failed: ({ mails: count, reason }) => [
      `${mails(count)} no se ${count === 1 ? 'pudo' : 'pudieron'} enviar y no se volverá a intentar.${lastReason(reason)}`,
      'Los mensajes están a salvo aquí. Vea qué se rechazó y vuelva a intentarlo o descártelo.',
    ],
    clock_right: () => ['La hora parece correcta.'],
    clock_jumped: () => [
      'El reloj de este servidor se desajustó en la última semana. De él dependen las fechas y los respaldos.',
      'Compruebe que marque la hora correcta.',
    ],
    clock_differs: ({ seconds }) => [
      `El reloj de la base de datos difiere ${number(seconds)} segundos del de este servidor.`,
      'Active un servicio de hora en las dos máquinas.',
    ],
    clock_behind: ({ newest }, timeZone) => [
      `Hay registros del futuro (${moment(newest, timeZone)}): el reloj de este servidor está atrasado, o estuvo adelantado.`,
      'Compruebe que marque la hora correcta.',
    ],
    version_supported: (values) => [`${versions(values)}, que recibe correcciones hasta el ${day(values.until)}.`],
    version_newer: (values) => [`${versions(values)}.`],
    version_ending: (values) => [
      `${versions(values)}, que no recibirá correcciones después del ${day(values.until)}.`,
      'Instale un Node más nuevo en el servidor: vea docs/deploy.md.',
    ],
    version_ended: (values) => [
      `${versions(values)}, que no recibe correcciones desde el ${day(values.until)}.`,
      'Instale un Node más nuevo en el servidor: vea docs/deploy.md.',
    ],
    accounts_safe: () => ['Todos los propietarios tienen una segunda forma de entrar.'],
    accounts_locked_out: ({ names: owners }) => [
      `La contraseña es la única forma de entrar para ${inWords(owners, 'y')}.`,
      'Agregue una llave de acceso o, si hay correo configurado, confirme una dirección de correo en Gestión de administradores.',
    ],
    visitors_welcome: ({ sitemap }) => [
      sitemap
        ? `Los visitantes ven el sitio y los buscadores encuentran sus proyectos en ${sitemap}.`
        : 'Los visitantes y los buscadores ven el sitio. Sin una dirección en Ajustes no hay mapa del sitio.',
    ],
    visitors_closed: () => [
      'El sitio aún no está abierto. Los visitantes leen «Próximamente» y los buscadores quedan fuera.',
      'Ábralo en la parte superior del panel cuando esté listo.',
    ],
  },
}
