import type { ContactFormTexts } from '../en/contact-form.ts'

export const contactForm: ContactFormTexts = {
  about: (title) => `Sobre: ${title}`,
  kept: 'Lo que escribió sigue aquí.',
  didYouMean: (address) => `¿Quiso decir ${address}?`,
  sent: {
    thanks: (name) => `Gracias, ${name}.`,
    by: (address, day, time) => `Le escribiré a ${address} antes del ${day}, ${time} h, hora del taller.`,
    message: 'Su mensaje',
    again: 'Escribir otro',
  },
  removeAbout: (title) => `No es sobre ${title}`,
  photos: {
    label: 'Fotos',
    add: 'Agregar fotos',
    hint: 'Hasta cuatro, de 10 MB cada una. Solo yo las veré.',
    uploading: 'Subiendo…',
    uploaded: 'Lista',
    retry: 'Intentar de nuevo',
    retryPhoto: (name) => `Intentar de nuevo: ${name}`,
    remove: (name) => `Quitar ${name}`,
    tooMany: 'Cuatro fotos como máximo, por favor: las demás se dejaron fuera.',
    chooseAgain: 'Las fotos no se conservaron: elíjalas de nuevo, por favor.',
    notSent: (count) =>
      count === 1
        ? 'Una foto no llegó: el mensaje se envió sin ella.'
        : `${count} fotos no llegaron: el mensaje se envió sin ellas.`,
    faults: {
      tooLarge: 'Esta foto es demasiado grande: más de 10 MB o de 50 megapíxeles. Elija una copia más pequeña, por favor.',
      notAPhoto:
        'Este archivo no es una foto que este sitio pueda leer. Elija un archivo JPEG, PNG, WebP, AVIF o GIF, por favor.',
      heic: 'Este sitio no puede leer fotos HEIC. Exporte esta como JPEG y elija ese archivo, por favor.',
      broken: 'Esta foto está dañada. Elija otra, por favor.',
      full: 'Por ahora no se pueden subir más fotos. Puede enviar su mensaje sin esta.',
      failed: 'Esta foto no se pudo subir. Inténtelo de nuevo o envíe su mensaje sin ella.',
    },
  },
}
