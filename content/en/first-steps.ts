import type { FirstStep } from '#contract/overview.ts'

/** What a new owner sees to: the name of each step, and what is to be done while it is open. */
const steps: Record<Exclude<FirstStep, 'demo'>, { name: string; todo: string }> = {
  contact: {
    name: 'Your name and contact details',
    todo: 'Enter your workshop’s name, your email address and a phone number, and publish them.',
  },
  hero: { name: 'Your hero photo', todo: 'Choose a photo of your best work for the top of the page and publish it.' },
  story: {
    name: 'Your story and figures',
    todo: 'Replace the sample text about the maker and the four figures with your own, in every language, and publish them.',
  },
  model: { name: 'Your first project', todo: 'Add a project with its photos and its story.' },
  open: { name: 'Open the site', todo: 'Visitors read “Opening soon” until you open it.' },
  mail: { name: 'Get told of messages', todo: 'Enter your email provider and send yourself a test email.' },
  backup: { name: 'First backup', todo: 'Create a complete backup: it holds your projects, messages and photos.' },
  copy: { name: 'Off-site copy', todo: 'Download a complete backup and keep it on another machine.' },
}

export const firstSteps = {
  title: 'First steps',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  done: '(done)',
  steps,
  demo: {
    name: 'Remove the demo projects',
    todo: (count: number) =>
      count === 1
        ? 'Visitors still see one demo project. Projects you have edited stay.'
        : `Visitors still see ${count} demo projects. Projects you have edited stay.`,
    remove: (count: number) => (count === 1 ? 'Remove it' : `Remove all ${count}`),
    removed: (count: number) =>
      count === 1 ? 'One demo project was moved to the trash.' : `${count} demo projects were moved to the trash.`,
    noneLeft: 'There were no demo projects left.',
    removeFailed: 'The demo projects could not be removed. They are all still there.',
    restored: (count: number) =>
      count === 1 ? 'One demo project is back in its place.' : `${count} demo projects are back in place.`,
    notInTrash: 'The demo projects are no longer in the trash. They were restored or deleted elsewhere.',
    restoreFailed: 'The demo projects could not be restored. They are still in the trash.',
  },
  opening: {
    closed: 'The site is not open yet. Visitors read “Opening soon”.',
    action: 'Open the site',
    pending: 'Opening...',
    done: 'The site is open. Visitors can see it now.',
    undone: 'The site is closed again. Visitors read “Opening soon”.',
    failed: 'The site could not be opened.',
    undoFailed: 'The site could not be closed again.',
    title: 'Open the site?',
    ready: 'Everyone with the address can see it then, and search engines will find it.',
    text: 'Visitors would still see sample content. These steps are open:',
  },
  allDone: 'All first steps are done. The site is yours.',
  failed: 'First steps could not be loaded.',
  hide: 'Hide this list',
  hidden: 'First steps are hidden.',
  whereHidden: 'You can show them again under Admin Management.',
  hideFailed: 'First steps could not be hidden.',
  show: 'Show first steps',
  showFailed: 'First steps could not be shown.',
}

export type FirstStepsTexts = typeof firstSteps
