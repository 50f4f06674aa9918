import { describe, expect, test } from 'vitest'
import { exportData, importData, restoreComplete } from '#contract/backups.ts'
import { deleteContacts, exportContacts } from '#contract/contacts.admin.ts'
import { readAsset } from '#contract/pages.ts'
import { emptyTrash } from '#contract/projects.admin.ts'
import { applyMerge } from '#contract/restores.ts'
import { declaredCalls } from '#tests/declared-calls.ts'
import { addressOf, openTestApp } from '#tests/test-app.ts'

const declared = await declaredCalls()

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

describe('the contract and the routes', () => {
  test('every route that is registered is declared', async () => {
    const { app } = await openTestApp('sqlite')
    const known = new Set(declared.map(nameOf))
    const served = app.registeredRoutes.map(({ method, url }) =>
      nameOf({ method: method === 'HEAD' ? 'GET' : method, path: url }),
    )
    expect(served.length).toBeGreaterThan(0)
    expect(served.filter((route) => !known.has(route))).toEqual([])
  })

  test('every call that is declared is served', async () => {
    const { app } = await openTestApp('sqlite')
    const served = new Set(app.registeredRoutes.map(({ method, url }) => nameOf({ method, path: url })))
    // Files of the site come from the build, which the browser tests look at.
    const expected = declared.filter(({ path }) => path !== readAsset.path).map(nameOf)
    expect(expected.filter((route) => !served.has(route))).toEqual([])
  })

  test('no call is declared twice', () => {
    const names = declared.map(nameOf)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })
})

describe('signed out', () => {
  const adminOnly = declared.filter(({ access }) => access !== 'public')

  test('there are calls for administrators only', () => {
    expect(adminOnly.length).toBeGreaterThan(5)
  })

  test('each of them answers 401', async () => {
    const { app } = await openTestApp('sqlite')
    for (const endpoint of adminOnly) {
      const response = await app.inject({ method: endpoint.method, url: addressOf(endpoint) })
      expect([response.statusCode, response.json(), response.headers['cache-control']], nameOf(endpoint)).toEqual([
        401,
        { message: 'Please sign in.', code: 'sign_in_required' },
        'no-store',
      ])
    }
  })
})

describe('signed in, with a password given a quarter of an hour ago', () => {
  const dangerous = declared.filter(({ access }) => access === 'confirmed')

  test('what reads, replaces or removes everything at once asks for it again', () => {
    const everything = [exportData, importData, restoreComplete, applyMerge, exportContacts, deleteContacts, emptyTrash]
    expect(everything.map(nameOf).filter((name) => !dangerous.map(nameOf).includes(name))).toEqual([])
  })

  test('each of these calls asks for it before it reads a body', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    site.clock.pass({ minutes: 15 })
    // This one is too short, and no input of any call.
    const headers = { cookie: maker.cookie, 'content-type': 'application/json' }
    for (const endpoint of dangerous) {
      const response = await site.app.inject({ method: endpoint.method, url: addressOf(endpoint), headers, payload: '{' })
      expect([response.statusCode, response.json(), response.headers['cache-control']], nameOf(endpoint)).toEqual([
        403,
        { message: 'Please enter your password again.', code: 'password_needed' },
        'no-store',
      ])
    }
  })
})
