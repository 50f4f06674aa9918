import type { z } from 'zod/mini'
import type { projectInput, Translations } from '#contract/project-fields.ts'

/** A project as the demo tells it: its photos are files in `photos/`, and the rest is what the maker would have typed. */
export type DemoProject = Omit<z.input<typeof projectInput>, 'imageUrl' | 'beforeImageUrl' | 'afterImageUrl' | 'photos'> & {
  title: string
  photo: string
  beforePhoto?: string
  afterPhoto?: string
  photos?: readonly { photo: string; caption: string; translations: Translations<'caption'> }[]
}

/** Two of each category, newest first. */
export const demoProjects: readonly DemoProject[] = [
  {
    photo: 'ships-1.jpg',
    beforePhoto: 'ships-1-before.jpg',
    afterPhoto: 'ships-1-after.jpg',
    photos: [
      {
        photo: 'ships-1-detail-1.jpg',
        caption: 'The deck along the port rail: truck guns with their breeching ropes, pin rail and grating.',
        translations: {
          es: {
            caption:
              'La cubierta junto a la borda de babor: cañones en sus cureñas con bragueros de cabo, cabillero y enjaretado.',
          },
        },
      },
      {
        photo: 'ships-1-detail-2.jpg',
        caption: 'The bow: a gilded Aurora with torch and wings under the bowsprit, head rails and anchor cable.',
        translations: {
          es: { caption: 'La proa: una Aurora dorada con antorcha y alas bajo el bauprés, los brazales y el cable del ancla.' },
        },
      },
    ],
    category: 'ships',
    title: 'Frigate “Aurora”',
    scale: '1:96',
    timeSpent: '1150',
    featured: true,
    materials: 'Lime, pear and walnut, copper foil, linen thread, brass',
    techniques: 'Plank-on-frame hull, individual copper plates, hand-laid rope, ratlines tied knot by knot, gilding',
    description:
      'A three-masted frigate with her sails furled in harbour, planked over frames and coppered below the waterline. The standing rigging is tarred dark and the running rigging left in natural hemp, with every ratline tied by hand. The comparison shows the bare limewood hull before paint, copper and rope.',
    translations: {
      es: {
        title: 'Fragata «Aurora»',
        description:
          'Fragata de tres palos con las velas aferradas en puerto, forrada sobre cuadernas y con planchas de cobre bajo la flotación. La jarcia firme va oscurecida con brea y la de labor queda en cáñamo natural, con cada flechaste anudado a mano. La comparación enseña el casco de tilo desnudo antes de la pintura, el cobre y los cabos.',
        materials: 'Tilo, peral y nogal, lámina de cobre, hilo de lino, latón',
        techniques:
          'Casco forrado sobre cuadernas, planchas de cobre una a una, cabo trenzado a mano, flechastes anudados uno a uno, dorado',
      },
    },
  },
  {
    photo: 'locomotive-1.jpg',
    beforePhoto: 'locomotive-1-before.jpg',
    afterPhoto: 'locomotive-1-after.jpg',
    photos: [
      {
        photo: 'locomotive-1-detail-1.jpg',
        caption: 'Driving wheels and rods: eighteen spokes each, oil cups in brass, a fine orange line on every rim.',
        translations: {
          es: {
            caption:
              'Ruedas motrices y bielas: dieciocho rayos cada una, aceiteras de latón y un filete naranja en cada llanta.',
          },
        },
      },
      {
        photo: 'locomotive-1-detail-2.jpg',
        caption: 'The cab from behind: cast number plate, double lining, brass beading and gauges on the backhead.',
        translations: {
          es: {
            caption:
              'La cabina desde atrás: placa de número fundida, doble fileteado, molduras de latón y manómetros en el frente de la caldera.',
          },
        },
      },
      {
        photo: 'locomotive-1-detail-3.jpg',
        caption: 'Smokebox and chimney from the buffer beam: rivets, door handles and a spun copper cap.',
        translations: {
          es: {
            caption: 'Caja de humos y chimenea desde el testero: remaches, manijas de la puerta y un remate de cobre repujado.',
          },
        },
      },
    ],
    category: 'locomotive',
    title: 'Sierra Express 4-6-0',
    scale: '1:32',
    timeSpent: '620',
    featured: true,
    materials: 'Brass, nickel silver, copper, steel tyres, mahogany base',
    techniques: 'Soldering, lathe turning, rivet embossing, airbrushing, bow-pen lining',
    description:
      'An express engine of the imaginary Sierra line, built from sheet brass over a working chassis. The boiler bands and splashers are lined by hand in orange with a bow pen, and the dome and safety valve were turned from solid bar. The grey primer stage shows every rivet before the green goes on.',
    translations: {
      es: {
        title: 'Expreso Sierra 2-3-0',
        description:
          'Locomotora de expresos de la imaginaria línea Sierra, construida en chapa de latón sobre un chasis funcional. Los zunchos de la caldera y los guardarruedas están fileteados a mano en naranja con tiralíneas, y el domo y la válvula de seguridad se tornearon de barra maciza. La fase de imprimación gris enseña cada remache antes del verde.',
        materials: 'Latón, alpaca, cobre, llantas de acero, base de caoba',
        techniques: 'Soldadura, torneado, remachado en relieve, aerografía, fileteado con tiralíneas',
      },
    },
  },
  {
    photo: 'aircraft-1.jpg',
    photos: [
      {
        photo: 'aircraft-1-detail-1.jpg',
        caption: 'The rotary engine behind its laminated propeller: nine finned cylinders, copper pipes and hub bolts.',
        translations: {
          es: {
            caption:
              'El motor rotativo detrás de su hélice laminada: nueve cilindros con aletas, tubos de cobre y pernos del buje.',
          },
        },
      },
      {
        photo: 'aircraft-1-detail-2.jpg',
        caption:
          'The cockpit from above: laced leather coaming, instrument board, seat belts and the breeches of the twin guns.',
        translations: {
          es: {
            caption:
              'La cabina desde arriba: borde de cuero cosido, tablero de instrumentos, cinturones y los cierres de las ametralladoras gemelas.',
          },
        },
      },
    ],
    category: 'aircraft',
    title: 'Linen and Wire: 1917 Scout',
    scale: '1:16',
    timeSpent: '390',
    featured: true,
    materials: 'Pear wood, tissue and fine linen, aluminium sheet, stretched wire, brass turnbuckles',
    techniques: 'Rib-and-spar construction, doping, metal forming, laminated propeller carving, rigging',
    description:
      'A single-seat scout left in its natural doped linen so that every rib shows through. The nine-cylinder rotary turns with the laminated propeller, and each bracing wire ends in its own brass turnbuckle. Only the cowling, wheels and rudder carry colour.',
    translations: {
      es: {
        title: 'Lino y alambre: caza de 1917',
        description:
          'Caza monoplaza que conserva el lino barnizado al natural para que se marque cada costilla. El motor rotativo de nueve cilindros gira con la hélice laminada y cada tirante termina en su propio tensor de latón. Solo el capó, las ruedas y el timón llevan color.',
        materials: 'Peral, papel y lino fino, chapa de aluminio, alambre tensado, tensores de latón',
        techniques:
          'Construcción de costillas y largueros, barnizado de tela, conformado de chapa, talla de hélice laminada, cableado',
      },
    },
  },
  {
    photo: 'figures-2.jpg',
    photos: [
      {
        photo: 'figures-2-detail-1.jpg',
        caption: 'The front window: domed glass in a brass frame, slotted screws and verdigris in the seams.',
        translations: {
          es: {
            caption:
              'La mirilla frontal: vidrio abombado en un marco de latón, tornillos ranurados y cardenillo en las juntas.',
          },
        },
      },
    ],
    category: 'figures',
    title: 'Hard-Hat Diver, 1925',
    scale: '1:10',
    timeSpent: '120',
    featured: true,
    materials: 'Cast resin, copper and brass, acrylic glass, cotton rope, turned walnut',
    techniques: 'Metal spinning, turned fittings, verdigris patina, canvas texture in oils',
    description:
      'A study in metals: the copper bonnet was spun, dented and polished, then left to take a verdigris patina in its seams. The guarded windows, wing nuts and valves are all turned from brass. A lead heart, rope and hose complete the portrait without showing a face.',
    translations: {
      es: {
        title: 'Buzo clásico, 1925',
        description:
          'Un estudio de metales: la escafandra de cobre se repujó al torno, se abolló y se pulió, y después tomó una pátina de cardenillo en las juntas. Las ventanas enrejadas, las palomillas y las válvulas son todas de latón torneado. Un corazón de plomo, la cuerda y la manguera completan el retrato sin enseñar un rostro.',
        materials: 'Resina, cobre y latón, vidrio acrílico, cuerda de algodón, nogal torneado',
        techniques: 'Repujado al torno, accesorios torneados, pátina de cardenillo, textura de lona al óleo',
      },
    },
  },
  {
    photo: 'automotive-1.jpg',
    category: 'automotive',
    title: 'Grand Prix No. 12',
    scale: '1:12',
    timeSpent: '430',
    featured: false,
    materials: 'Aluminium, brass, stainless spokes, leather, rubber',
    techniques: 'Panel beating over a buck, wheel lacing, silver soldering, cellulose lacquer polished by hand',
    description:
      'An open-wheel racer from the early thirties, with its body beaten over a wooden buck. Each wheel carries forty-four laced spokes, and the bonnet straps and seat are cut from real leather. Many thin coats of blue lacquer were flatted and polished until the louvres reflected cleanly.',
    translations: {
      es: {
        title: 'Gran Premio n.º 12',
        description:
          'Monoplaza de carreras de principios de los treinta, con la carrocería batida sobre una horma de madera. Cada rueda lleva cuarenta y cuatro radios cruzados, y las correas del capó y el asiento son de cuero auténtico. Muchas capas finas de laca azul se lijaron y pulieron hasta que las rejillas reflejaron con limpieza.',
        materials: 'Aluminio, latón, radios de acero inoxidable, cuero, caucho',
        techniques: 'Chapa batida sobre horma, radiado de ruedas, soldadura de plata, laca celulósica pulida a mano',
      },
    },
  },
  {
    photo: 'military-1.jpg',
    category: 'military',
    title: 'Mud and Rivets: Heavy Tank 1917',
    scale: '1:35',
    timeSpent: '300',
    featured: false,
    materials: 'Styrene sheet, brass, individual track links, plaster and natural earth',
    techniques: 'Scratch-building, individually punched rivets, oil and pigment weathering, groundwork',
    description:
      'A rhomboid heavy tank climbing out of churned ground, its unditching beam chained on the rails. More than a thousand rivets were punched and set one by one, and each track link is separate. The mud was built up in layers, from dried dust on the roof to wet earth at the tracks.',
    translations: {
      es: {
        title: 'Barro y remaches: carro pesado de 1917',
        description:
          'Carro romboidal que sale de un terreno removido, con la viga de desatasco encadenada a los raíles. Más de mil remaches se troquelaron y colocaron uno a uno, y cada eslabón de la oruga es independiente. El barro se construyó por capas, del polvo seco del techo a la tierra húmeda de las orugas.',
        materials: 'Planchas de poliestireno, latón, eslabones sueltos, escayola y tierra natural',
        techniques:
          'Construcción artesanal, remaches troquelados uno a uno, envejecido con óleos y pigmentos, modelado de terreno',
      },
    },
  },
  {
    photo: 'ships-2.jpg',
    category: 'ships',
    title: 'Harbour Tug “Martina”',
    scale: '1:50',
    timeSpent: '340',
    featured: false,
    materials: 'Plywood and lime, mahogany veneer, brass tube, cast resin, cotton cord',
    techniques: 'Plated hull over wood, tongue-and-groove deckhouse, turned brass fittings, rust streaking with oils',
    description:
      'A steam tug of the 1930s, tubby and proud, with her tyre fenders and tall funnel. The varnished deckhouse is planked board by board and the portholes are turned from brass tube. Rust weeping from the plate seams and a green waterline put decades of harbour work on her.',
    translations: {
      es: {
        title: 'Remolcador «Martina»',
        description:
          'Remolcador de vapor de los años treinta, rechoncho y orgulloso, con sus defensas de neumático y su alta chimenea. La caseta barnizada está forrada tabla a tabla y los portillos se tornearon de tubo de latón. El óxido que llora de las juntas y la línea de flotación verdosa le ponen encima décadas de puerto.',
        materials: 'Contrachapado y tilo, chapa de caoba, tubo de latón, resina, cordón de algodón',
        techniques:
          'Planchas sobre casco de madera, caseta machihembrada, accesorios torneados en latón, regueros de óxido al óleo',
      },
    },
  },
  {
    photo: 'locomotive-2.jpg',
    category: 'locomotive',
    title: 'Alpine Crocodile',
    scale: '1:45',
    timeSpent: '480',
    featured: false,
    materials: 'Etched brass, cast white metal, phosphor-bronze wire, resin insulators',
    techniques: 'Photo-etching, folding and soldering, spring-loaded pantographs, airbrushing, pigment weathering',
    description:
      'An articulated mountain electric with a centre cab and two long noses, the shape that earned the type its nickname. Both pantographs are sprung and fold flat, and the side rods turn with the jackshafts. Chestnut brown over a dusty black running gear keeps it in working dress.',
    translations: {
      es: {
        title: 'Cocodrilo alpino',
        description:
          'Eléctrica articulada de montaña, con cabina central y dos largos capós, la silueta que dio el apodo al tipo. Los dos pantógrafos llevan muelle y se pliegan, y las bielas giran con los falsos ejes. El castaño sobre un rodaje negro polvoriento la mantiene con aspecto de servicio.',
        materials: 'Latón fotograbado, metal blanco, hilo de bronce fosforoso, aisladores de resina',
        techniques: 'Fotograbado, plegado y soldadura, pantógrafos con muelle, aerografía, envejecido con pigmentos',
      },
    },
  },
  {
    photo: 'automotive-2.jpg',
    category: 'automotive',
    title: 'La Espiga Bakery Van',
    scale: '1:18',
    timeSpent: '260',
    featured: false,
    materials: 'Brass sheet, lime wood, styrene, white metal, polymer clay loaves',
    techniques: 'Scratch-built coachwork, hand-painted sign writing, gold leaf, two-tone lacquer',
    description:
      'A neighbourhood bakery van as it might have looked on its first morning out in 1931. The lettering and ears of wheat were painted freehand and finished with gold leaf. The crates on the roof are full of tiny loaves, glazed one by one.',
    translations: {
      es: {
        title: 'Furgoneta de la panadería La Espiga',
        description:
          'La furgoneta de una panadería de barrio tal como pudo verse en su primera mañana de reparto, en 1931. La rotulación y las espigas se pintaron a mano alzada y se remataron con pan de oro. Los cajones del techo van llenos de panes diminutos, glaseados uno a uno.',
        materials: 'Chapa de latón, tilo, poliestireno, metal blanco, panes de arcilla polimérica',
        techniques: 'Carrocería artesanal, rotulación a pincel, pan de oro, lacado en dos tonos',
      },
    },
  },
  {
    photo: 'figures-1.jpg',
    category: 'figures',
    title: 'The Vigil',
    scale: '1:20 (90 mm)',
    timeSpent: '95',
    featured: false,
    materials: 'Epoxy putty over wire, metal foil, resin shield, cork and plaster base',
    techniques: 'Sculpting, mail texture stamped ring by ring, true-metal paints, layered acrylics, freehand heraldry',
    description:
      'A knight keeps watch at dawn, both hands resting on the pommel of his sword. The mail was textured ring by ring and the surcoat shaded in warm greys rather than white. He stands on a few worn flagstones with the grass already growing between them.',
    translations: {
      es: {
        title: 'La vela de armas',
        description:
          'Un caballero vela al amanecer con las dos manos apoyadas en el pomo de la espada. La cota se texturó anilla a anilla y la sobrevesta está sombreada con grises cálidos en lugar de blanco. Se alza sobre unas losas gastadas entre las que ya crece la hierba.',
        materials: 'Masilla epoxi sobre alambre, lámina metálica, escudo de resina, base de corcho y escayola',
        techniques:
          'Modelado, cota de malla texturada anilla a anilla, pinturas metálicas, acrílicos por capas, heráldica a mano alzada',
      },
    },
  },
  {
    photo: 'aircraft-2.jpg',
    category: 'aircraft',
    title: 'Elliptical Wing Fighter',
    scale: '1:32',
    timeSpent: '210',
    featured: false,
    materials: 'Styrene, resin, vacuum-formed acetate, photo-etched brass',
    techniques: 'Rescribed panel lines and rivets, masked airbrush camouflage, painted markings, oil washes, chipping',
    description:
      'A wartime fighter finished as a hard-worked machine at the end of summer. All markings are sprayed through masks rather than applied as decals, then faded together with the paint. Exhaust stains and worn wing roots tell where the crew walked and where the engine breathed.',
    translations: {
      es: {
        title: 'Caza de ala elíptica',
        description:
          'Caza de la Segunda Guerra Mundial representado como un aparato muy trabajado a finales de verano. Todas las insignias se pintaron con plantillas, sin calcas, y se decoloraron junto con la pintura. Las manchas de escape y las raíces alares gastadas cuentan por dónde pisaba la dotación y por dónde respiraba el motor.',
        materials: 'Poliestireno, resina, acetato termoconformado, latón fotograbado',
        techniques:
          'Repaneado y remachado, camuflaje a aerógrafo con plantillas, insignias pintadas, lavados al óleo, desconchados',
      },
    },
  },
  {
    photo: 'military-2.jpg',
    category: 'military',
    title: '75 mm Field Gun',
    scale: '1:16',
    timeSpent: '240',
    featured: false,
    materials: 'Brass and steel, pear-wood spokes, leather, linen sandbags',
    techniques: 'Lathe and milling work, spoked wheel building, riveting, chemical blackening',
    description:
      'A quick-firing field gun at rest behind a low parapet, its shells waiting in an open crate. The barrel and breech were turned from steel and blackened, and the wheels were built spoke by spoke as a wheelwright would. The handwheels raise and traverse the gun.',
    translations: {
      es: {
        title: 'Cañón de campaña de 75 mm',
        description:
          'Cañón de tiro rápido en reposo tras un parapeto bajo, con los proyectiles esperando en un cajón abierto. El tubo y la culata se tornearon en acero y se pavonaron, y las ruedas se montaron radio a radio como lo haría un carretero. Los volantes mueven la pieza en alza y dirección.',
        materials: 'Latón y acero, radios de peral, cuero, sacos de lino',
        techniques: 'Torno y fresa, construcción de ruedas de radios, remachado, pavonado químico',
      },
    },
  },
]
