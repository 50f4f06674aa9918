import type { Counts } from '#contract/backups.ts'
import type { ContactMessageRow, Db, NewImage, ProjectContent } from '#server/database/tables.ts'
import * as queries from './backups.queries.ts'
import type { Incoming } from './export.rules.ts'
import { type Merge, type MergeMode, mergeContacts, mergeProjects, type Newcomer } from './merge.rules.ts'

export type Plan = { projects: Merge<ProjectContent>; contacts: Merge<ContactMessageRow> }

/** What a merge would do to the records as they are now. */
export async function planMerge(db: Db, incoming: Incoming, mode: MergeMode, newcomer: Newcomer): Promise<Plan> {
  return {
    projects: mergeProjects(incoming.projects, await queries.projectsLike(db, incoming.projects), mode, newcomer),
    contacts: mergeContacts(incoming.contacts, await queries.contactsLike(db, incoming.contacts), newcomer),
  }
}

export function changesNothing({ projects, contacts }: Plan) {
  return projects.add.length + projects.bringBack.length + contacts.add.length === 0
}

/** Does it; to be called in a transaction, which is the one moment that changes the site. */
export async function carryOut(tx: Db, { projects, contacts }: Plan, images: readonly NewImage[]) {
  await queries.insertImages(tx, images)
  await queries.insertProjects(tx, projects.add)
  for (const project of projects.bringBack) await queries.overwriteProject(tx, project)
  await queries.insertContacts(tx, contacts.add)
}

type Images = { added: number; alreadyThere: number }

export function reportOf({ projects, contacts }: Plan, images: Images) {
  const added: Counts = { projects: projects.add.length, contacts: contacts.add.length, images: images.added }
  const broughtBack: Counts = { projects: projects.bringBack.length, contacts: 0, images: 0 }
  return {
    imported: { ...added, projects: added.projects + broughtBack.projects },
    added,
    broughtBack,
    alreadyThere: { projects: projects.alreadyThere, contacts: contacts.alreadyThere, images: images.alreadyThere },
  }
}
