import { listContacts } from '#contract/contacts.admin.ts'
import { hashesShown, storedAddress } from '#contract/images.ts'
import { listProjects, type Project } from '#contract/projects.ts'
import { hashOf } from '../backups.ts'
import { signInAt } from '../calls.ts'

export type Account = { username: string; password: string }

export type Content = Awaited<ReturnType<typeof contentAt>>

/** All a visitor and the maker see of a running site: projects, messages, and every photo with its bytes. */
export async function contentAt(url: string, account: Account) {
  const json = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(new URL(path, url), { headers })
    if (!response.ok) throw new Error(`${path} answers ${response.status}`)
    return response.json() as Promise<unknown>
  }
  for (const page of ['/', '/?lang=es']) {
    const { status } = await fetch(new URL(page, url))
    if (status !== 200) throw new Error(`${page} answers ${status}`)
  }
  const projects = (await json(listProjects.path)) as Project[]
  const messages = (await json(listContacts.path, { cookie: await signInAt(url, account) })) as { name: string }[]
  const addresses = [...new Set(projects.flatMap(hashesShown))].map(storedAddress).toSorted()
  const photos = []
  for (const address of addresses) {
    // One that is cut off in the middle is as good as one that is not there.
    const { status, sum } = await photoAt(new URL(address, url)).catch(() => ({ status: 0, sum: '' }))
    photos.push({ address, status, sum })
  }
  return { projects, messages, photos }
}

async function photoAt(address: URL) {
  const response = await fetch(address)
  return { status: response.status, sum: hashOf(Buffer.from(await response.arrayBuffer())) }
}
