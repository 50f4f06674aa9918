/** Sections that the server renders: their texts are loaded only to show them in another language. */
export const sections = {
  services: {
    label: 'Commissions',
    title: 'What I can build for you',
    intro:
      'If it rolled, sailed or flew, it can be built. These are the trades of the workshop, and the scales they look best in.',
    items: [
      {
        name: 'Locomotives',
        text: 'Steam, diesel and electric, with working rods, sprung axles and the number plates you remember.',
        scales: '1:22 – 1:48',
      },
      {
        name: 'Aircraft',
        text: 'From linen and wire to riveted aluminium, in the markings of one machine on one day.',
        scales: '1:16 – 1:48',
      },
      {
        name: 'Ships',
        text: 'Plank on frame, coppered and rigged knot by knot, or steel hulls with the rust they earned.',
        scales: '1:48 – 1:100',
      },
      {
        name: 'Automotive',
        text: 'Coachwork beaten over a buck, wheels laced spoke by spoke, lacquer polished by hand.',
        scales: '1:8 – 1:24',
      },
      {
        name: 'Military vehicles',
        text: 'Researched to the serial number and weathered to the season, with the ground they stood on.',
        scales: '1:16 – 1:35',
      },
      { name: 'Figures', text: 'Sculpted from wire and putty, or painted from a portrait you send me.', scales: '54 – 200 mm' },
    ],
  },
  process: {
    label: 'Process',
    title: 'From drawing to display case',
    steps: [
      {
        name: 'Research',
        text: 'Drawings, photographs, letters. We agree on the machine, the day and the scale before any metal is cut.',
      },
      {
        name: 'Assembly',
        text: 'Frames, plates and fittings are cut, turned and soldered. You see it in bare metal, every rivet in place.',
      },
      {
        name: 'Painting',
        text: 'Primer, colour, lining and lettering, then the dust and wear of its working life, if you wish.',
      },
      { name: 'Finishing', text: 'A turned base, an engraved plate and a case made to measure. It arrives ready to stand.' },
    ],
  },
  about: {
    label: 'About',
    title: 'One bench, one pair of hands',
    paragraphs: [
      'I built my first locomotive at nine, from a sardine tin and a drawing my grandfather made of the engine he fired. I have not stopped since. For over forty years I have worked in the same city, at the same bench, for collectors, museums and families who want to keep a machine that is gone.',
      'Nothing here comes out of a box. Wheels are turned, plates are etched, ropes are laid and letters are painted with a brush of three hairs. A model is finished when the person who knew the original goes quiet in front of it.',
    ],
    signature: 'Scale model maker, Querétaro',
    /** What the portrait shows; the site came without one. */
    portrait: '',
    figures: {
      years: 'years of experience',
      models: 'models completed',
      awards: 'awards won',
      articles: 'published articles',
    },
    specialtiesTitle: 'Specializations',
    specialties: [
      'Steam locomotives with working valve gear',
      'Sailing ships rigged knot by knot',
      'Aircraft in linen, wood and metal',
      'Weathering and groundwork',
      'Restoration of old models',
    ],
    photos: [
      'Paint jars, brushes and tweezers around a palette on a cutting mat.',
      'The hull of a wooden ship model, half planked, on its building stocks.',
      'Locomotive wheels and brass fittings laid out on a blueprint.',
    ],
  },
}

export type SectionTexts = typeof sections
