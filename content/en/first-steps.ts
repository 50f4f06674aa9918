import type { FirstStep } from '#contract/first-steps.ts'

/** What a new owner sees to: the name of each step, and what is to be done while it is open. */
const steps: Record<Exclude<FirstStep, 'demo'>, { name: string; todo: string }> = {
  contact: {
    name: 'Your name and contact data',
    todo: 'Write your brand, your e-mail address and a telephone number, and publish them.',
  },
  hero: { name: 'Your hero photo', todo: 'Choose a photo of your best work for the top of the page, and publish it.' },
  model: { name: 'Your first model', todo: 'Add a project with its photos and its story.' },
  mail: { name: 'Mail', todo: 'Set up a mail server, so that the site writes to you when a message arrives.' },
  backup: { name: 'First backup', todo: 'Create a complete backup: it holds the projects, the messages and all photos.' },
  copy: { name: 'Copy elsewhere', todo: 'Download a complete backup and keep it on another machine than this one.' },
}

export const firstSteps = {
  title: 'First steps',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  done: '(done)',
  steps,
  demo: {
    name: 'Remove the demo models',
    todo: (count: number) =>
      count === 1
        ? 'Visitors still see one model of the demo. What you have rewritten stays.'
        : `Visitors still see ${count} models of the demo. Those you have rewritten stay.`,
    remove: (count: number) => (count === 1 ? 'Remove it' : `Remove all ${count}`),
    removed: (count: number) =>
      count === 1 ? 'One demo model was put into the trash.' : `${count} demo models were put into the trash.`,
    noneLeft: 'No model of the demo was left.',
    removeFailed: 'The demo models could not be removed. They are all still there.',
    back: (count: number) =>
      count === 1 ? 'One demo model is back at its place.' : `${count} demo models are back at their places.`,
    notInTrash: 'The demo models are not in the trash any more. They were restored or removed elsewhere.',
    backFailed: 'The demo models could not be brought back. They are still in the trash.',
  },
  allDone: 'All first steps are done. The site is yours.',
  failed: 'It could not be read which first steps are done.',
  putAway: 'Put away',
  isAway: 'The first steps are put away.',
  whereAway: 'They can be shown again under Admin Management.',
  awayFailed: 'The first steps could not be put away.',
  show: 'Show the first steps',
  showFailed: 'The first steps could not be brought back.',
}

export type FirstStepsTexts = typeof firstSteps
