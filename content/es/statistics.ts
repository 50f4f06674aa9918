import type { StatisticsTexts } from '../en/statistics.ts'

const number = (count: number) => count.toLocaleString('es-MX')
const small = ['ninguna', 'una', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve', 'diez']
const visits = (count: number) => (count === 1 ? '1 visita' : `${number(count)} visitas`)
const times = (count: number) => (count === 1 ? 'una vez' : `${number(count)} veces`)
const people = (count: number) => (count === 1 ? 'una persona pidió' : `${small[count] ?? number(count)} personas pidieron`)

export const statistics: StatisticsTexts = {
  week: (count, model) => {
    const all = count === 0 ? 'Ninguna visita esta semana' : `${visits(count)} esta semana`
    if (!model) return `${all}.`
    const asked = model.messages > 0 ? ` y ${people(model.messages)} uno parecido` : ''
    return `${all}; ${model.title} se abrió ${times(model.looks)}${asked}.`
  },
  noneYet: 'Todavía no se ha contado ninguna visita.',
  isOff: 'Las visitas no se cuentan.',
  show: 'Ver las cifras',
  loading: 'Cargando las cifras…',
  failed: 'No se pudieron leer las cifras',
  empty:
    'Todavía no se ha contado nada. Desde la primera visita verá aquí cuántas personas llegan, qué modelos abren y por cuáles preguntan, y qué sitios llevan al suyo.',
  period: 'Periodo',
  periods: { days: '30 días', months: '12 meses' },
  total: {
    days: (count) => `${count === 1 ? 'visita' : 'visitas'} en los últimos 30 días`,
    months: (count) => `${count === 1 ? 'visita' : 'visitas'} en los últimos 12 meses`,
  },
  compared: (difference) =>
    difference === 0
      ? 'Tantas como en los 30 días anteriores'
      : `${number(Math.abs(difference))} ${difference > 0 ? 'más' : 'menos'} que en los 30 días anteriores`,
  notCounted: 'aún no se contaba',
  visits,
  soFar: (count) => `${visits(count)} hasta ahora`,
  since: (day) => `Se cuenta desde el ${day}`,
  earlier: (count) => `${number(count)} treinta días antes`,
  legend: { now: 'Estos 30 días', before: 'Los 30 días anteriores' },
  choose: { days: 'Elegir un día', months: 'Elegir un mes' },
  table: {
    title: 'Los números en una tabla',
    columns: { days: 'Día', months: 'Mes' },
    visits: 'Visitas',
    before: '30 días antes',
  },
  opened: { title: 'Los más abiertos', none: 'Todavía no se ha abierto ningún modelo.', count: times },
  asked: {
    title: 'Por los que más preguntan',
    none: 'Todavía no hay mensajes sobre un modelo.',
    count: (count) => (count === 1 ? '1 mensaje' : `${number(count)} mensajes`),
  },
  hosts: { title: 'De dónde llegan', rest: 'Directo o desconocido' },
  languages: 'Idiomas',
  devices: { title: 'Dispositivos', names: { phone: 'Teléfono', tablet: 'Tableta', desktop: 'Computadora' } },
  about: {
    title: 'Qué se cuenta',
    text: (days) =>
      `Solo se guardan totales por día, durante ${days} días: visitas, modelos abiertos, mensajes, idiomas, dispositivos y los sitios que llevan aquí. Cada visitante cuenta una vez al día. No se cuentan: usted mientras tiene la sesión abierta, los programas que dicen ser robots, las páginas cargadas por adelantado ni los navegadores que piden no ser rastreados (Do Not Track, Global Privacy Control).`,
    privacyTitle: 'Para su aviso de privacidad',
  },
  privacy:
    'Este sitio cuenta sus visitas por sí mismo, sin cookies y sin terceros. Solo guarda totales por día: visitas, modelos abiertos, mensajes, idiomas, tipos de dispositivo y los sitios que llevan aquí. Para no contar a nadie dos veces en un día, conserva hasta la medianoche en la memoria de trabajo un código formado a partir de la dirección y el navegador, que nunca se guarda y después no se puede rastrear. Los navegadores que envían «Do Not Track» o «Global Privacy Control» no se cuentan.',
  turnOff: {
    open: 'Dejar de contar',
    title: '¿Dejar de contar las visitas?',
    text: 'Se borrarán todas las cifras y no se contará nada hasta que lo active de nuevo.',
    action: 'Dejar de contar y borrar',
    busy: 'Borrando...',
    failed: 'No se pudo dejar de contar',
    done: 'Las visitas ya no se cuentan y las cifras se han borrado',
  },
  turnOn: {
    text: 'Las visitas no se cuentan y no hay cifras.',
    action: 'Contar las visitas',
    busy: 'Activando...',
    failed: 'No se pudo activar el conteo',
  },
}
