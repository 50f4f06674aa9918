/** Loaded with the contact form's script, not with the first visit. */
export const contactForm = {
  about: (title: string) => `About: ${title}`,
  kept: 'What you wrote is still here.',
  didYouMean: (address: string) => `Did you mean ${address}?`,
  sent: {
    thanks: (name: string) => `Thank you, ${name}.`,
    by: (address: string, day: string, time: string) => `I will write to ${address} by ${day} ${time}, workshop time.`,
    message: 'Your message',
    again: 'Write another',
  },
  removeAbout: (title: string) => `Not about ${title}`,
  photos: {
    label: 'Photos',
    add: 'Add photos',
    hint: 'Up to four, 10 MB each. Only I will see them.',
    uploading: 'Uploading…',
    uploaded: 'Uploaded',
    retry: 'Try again',
    retryPhoto: (name: string) => `Try again: ${name}`,
    remove: (name: string) => `Remove ${name}`,
    tooMany: 'Four photos at most, please: the others were left out.',
    chooseAgain: 'The photos were not kept: please choose them again.',
    notSent: (count: number) =>
      count === 1
        ? 'One photo did not arrive: the message was sent without it.'
        : `${count} photos did not arrive: the message was sent without them.`,
    faults: {
      tooLarge: 'This photo is too large: more than 10 MB or 50 megapixels. Please choose a smaller copy.',
      notAPhoto: 'This file is not a photo this site can read. Please choose a JPEG, PNG, WebP, AVIF or GIF file.',
      heic: 'This site cannot read HEIC photos. Please export this one as JPEG and choose that file.',
      broken: 'This photo is damaged. Please choose another one.',
      full: 'No more photos can be uploaded right now. You can send your message without this one.',
      failed: 'This photo could not be uploaded. Try again, or send your message without it.',
    },
  },
}

export type ContactFormTexts = typeof contactForm
