import type { SectionTexts } from '../en/sections.ts'

export const sections: SectionTexts = {
  services: {
    label: 'Encargos',
    title: 'Lo que puedo construir para usted',
    intro: 'Si rodó, navegó o voló, se puede construir. Estos son los oficios del taller y las escalas en que mejor lucen.',
    items: [
      {
        name: 'Locomotoras',
        text: 'De vapor, diésel o eléctricas, con bielas que se mueven, ejes con suspensión y las placas que usted recuerda.',
        scales: '1:22 – 1:48',
      },
      {
        name: 'Aviones',
        text: 'De la tela y el alambre al aluminio remachado, con las insignias de un solo aparato en un solo día.',
        scales: '1:16 – 1:48',
      },
      {
        name: 'Barcos',
        text: 'Forrados sobre cuadernas, con su cobre y su jarcia nudo por nudo, o cascos de acero con el óxido que se ganaron.',
        scales: '1:48 – 1:100',
      },
      {
        name: 'Automóviles',
        text: 'Carrocerías batidas sobre horma, ruedas armadas rayo por rayo y laca pulida a mano.',
        scales: '1:8 – 1:24',
      },
      {
        name: 'Vehículos militares',
        text: 'Investigados hasta el número de serie y envejecidos según la estación, con el suelo que pisaron.',
        scales: '1:16 – 1:35',
      },
      {
        name: 'Figuras',
        text: 'Modeladas en alambre y masilla, o pintadas a partir del retrato que usted me envíe.',
        scales: '54 – 200 mm',
      },
    ],
  },
  process: {
    label: 'Proceso',
    title: 'Del plano a la vitrina',
    steps: [
      {
        name: 'Investigación',
        text: 'Planos, fotografías, cartas. Acordamos la máquina, el día y la escala antes de cortar el primer metal.',
      },
      {
        name: 'Ensamble',
        text: 'Bastidores, láminas y herrajes se cortan, se tornean y se sueldan. Usted lo ve en metal desnudo, con cada remache en su sitio.',
      },
      {
        name: 'Pintura',
        text: 'Fondo, color, fileteado y rotulación; después, si así lo quiere, el polvo y el desgaste de su vida de trabajo.',
      },
      { name: 'Acabado', text: 'Una base torneada, una placa grabada y una vitrina a la medida. Llega listo para exhibirse.' },
    ],
  },
  about: {
    label: 'El taller',
    title: 'Un banco, un par de manos',
    paragraphs: [
      'Construí mi primera locomotora a los nueve años, con una lata de sardinas y un dibujo que hizo mi abuelo de la máquina en la que fue fogonero. Desde entonces no he parado. Llevo más de cuarenta años en la misma ciudad y en el mismo banco, trabajando para coleccionistas, museos y familias que quieren conservar una máquina que ya no existe.',
      'Aquí nada sale de una caja. Las ruedas se tornean, las láminas se graban, los cabos se tuercen y las letras se pintan con un pincel de tres pelos. Un modelo está terminado cuando la persona que conoció el original se queda callada frente a él.',
    ],
    signature: 'Constructor de modelos a escala, Querétaro',
    portrait: '',
    figures: {
      years: 'años de experiencia',
      models: 'modelos terminados',
      awards: 'premios obtenidos',
      articles: 'artículos publicados',
    },
    specialtiesTitle: 'Especialidades',
    specialties: [
      'Locomotoras de vapor con distribución funcional',
      'Veleros con jarcia anudada a mano',
      'Aviones de tela, madera y metal',
      'Envejecido y modelado de terreno',
      'Restauración de modelos antiguos',
    ],
    photos: [
      'Botes de pintura, pinceles y pinzas alrededor de una paleta sobre un tapete de corte.',
      'El casco de un barco de madera a escala, a medio forrar, sobre su grada de montaje.',
      'Ruedas de locomotora y piezas de latón dispuestas sobre un plano.',
    ],
  },
}
