import type { ContactState } from '#contract/contacts.admin.ts'

type Column = 'receivedAt' | 'state' | 'name' | 'email' | 'projectType' | 'about' | 'message' | 'note' | 'repliedAt' | 'photos'

const dayIn = (date: string) => new Date(date).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** What the server writes into pages and files by itself. */
export const server = {
  /** In the place of the admin area, where no script runs. */
  needsScript: 'The admin area needs JavaScript. Please switch it on in your browser and load this page again.',
  /** On a page that shows what is not published. */
  previewMark: 'Preview: only you can see this',
  /** Of a new site: what visitors read, and the bar for the maker, who sees the whole page. */
  opening: {
    soon: 'Opening soon',
    adminAccess: 'Admin Access',
    bar: 'Not open yet: only you can see this page. Visitors read “Opening soon”.',
    toPanel: 'Go to the panel',
  },
  /** For a visitor whose page is not kept, while the database is away or after too many pages were rendered for one address. */
  unavailable: {
    title: 'Back in a moment',
    sentence: 'The site cannot answer right now. Please try again in a moment.',
    again: 'Try again',
  },
  commissions: {
    open: 'Taking commissions now.',
    from: (date: string) => `Taking commissions from ${dayIn(date)}.`,
    closed: 'Not taking commissions at the moment.',
  },
  /** Messages as a table for a spreadsheet. */
  contactTable: {
    file: 'messages',
    columns: {
      receivedAt: 'Received (UTC)',
      state: 'State',
      name: 'Name',
      email: 'Email',
      projectType: 'Project type',
      about: 'About',
      message: 'Message',
      note: 'Private note',
      repliedAt: 'Last reply (UTC)',
      photos: 'Photos',
    } satisfies Record<Column, string>,
    states: { new: 'To answer', answered: 'Answered', quoted: 'Quoted', closed: 'Closed', spam: 'Spam' } satisfies Record<
      ContactState,
      string
    >,
  },
}

export type ServerTexts = typeof server
