import { describe, expect, test } from 'vitest'
import {
  changePassword,
  changeRole,
  confirmPassword,
  createAdmin,
  deleteAdmin,
  endOtherSessions,
  endSession,
  listAdmins,
  listSessions,
  readConfirmation,
} from '#contract/accounts.ts'
import { changeBackupSettings } from '#contract/backup-status.ts'
import { deleteBackup, downloadBackup, exportData, importData, restoreComplete } from '#contract/backups.ts'
import {
  changeContact,
  deleteContact,
  deleteContacts,
  exportContacts,
  listContacts,
  readContact,
  readContactNews,
  readContactPhoto,
  replyToContact,
  searchContacts,
} from '#contract/contacts.admin.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { finalizeUpload, requestUpload, uploadImage } from '#contract/images.ts'
import { readMails, retryMail } from '#contract/mails.ts'
import { readOverview, watchChanges } from '#contract/overview.ts'
import { readAsset } from '#contract/pages.ts'
import { addPasskey, confirmByPasskey, listPasskeys, removePasskey, startPasskey } from '#contract/passkeys.ts'
import {
  createProject,
  deleteProject,
  emptyTrash,
  listTrash,
  moveProject,
  removeDeleted,
  restoreProject,
  searchProjects,
  updateProject,
} from '#contract/projects.admin.ts'
import { readLinkNeeds, removeAddress, setAddress } from '#contract/recovery.ts'
import { applyMerge, undoMerge } from '#contract/restores.ts'
import { changeSiteDraft, discardSiteDraft, listSiteVersions, readSiteContent } from '#contract/site-content.ts'
import { readStatistics, switchStatistics } from '#contract/statistics.ts'
import { declaredCalls } from '#tests/declared-calls.ts'
import { addressOf, openTestApp, type TestApp } from '#tests/test-app.ts'

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
  const dangerous = declared.filter(({ access }) => access === 'own' || access === 'confirmed')

  test('what takes data out in bulk, brings it in, deletes for good or changes who may enter asks for it again', () => {
    const rule = [
      ...[exportData, downloadBackup, exportContacts],
      ...[importData, restoreComplete, applyMerge, undoMerge],
      ...[deleteContact, deleteContacts, removeDeleted, emptyTrash, deleteBackup, changeBackupSettings, switchStatistics],
      ...[createAdmin, deleteAdmin, changeRole, startPasskey, addPasskey, removePasskey, setAddress, removeAddress],
    ]
    expect(rule.map(nameOf).filter((name) => !dangerous.map(nameOf).includes(name))).toEqual([])
  })

  test('each of these calls asks for it before it reads a body', async () => {
    const site = await openTestApp('sqlite')
    const maker = await site.signedIn()
    site.clock.pass({ minutes: 15 })
    for (const endpoint of dangerous) {
      const response = await withBrokenBody(site, endpoint, maker)
      expect([response.statusCode, response.json(), response.headers['cache-control']], nameOf(endpoint)).toEqual([
        403,
        { message: 'Please enter your password again.', code: 'password_needed' },
        'no-store',
      ])
    }
  })
})

describe('a helper', () => {
  /** All that a helper may do: a new call must be decided on. */
  const allowed = [
    ...[listAdmins, changePassword, listSessions, endSession, endOtherSessions, readConfirmation, confirmPassword],
    ...[listPasskeys, startPasskey, addPasskey, removePasskey, confirmByPasskey],
    ...[readLinkNeeds, setAddress, removeAddress],
    ...[searchProjects, createProject, updateProject, moveProject, deleteProject, listTrash, restoreProject],
    ...[requestUpload, uploadImage, finalizeUpload],
    ...[listContacts, searchContacts, readContact, readContactNews, readContactPhoto, changeContact, replyToContact],
    ...[readMails, retryMail],
    ...[readSiteContent, changeSiteDraft, discardSiteDraft, listSiteVersions],
    ...[readOverview, readStatistics, watchChanges],
  ].map(nameOf)
  const forHelpers = declared.filter(({ access }) => access === 'admin' || access === 'own')

  test('may look after models, photos, messages and drafts of texts, and nothing else', () => {
    expect(forHelpers.map(nameOf).toSorted()).toEqual(allowed.toSorted())
  })

  test('is refused everything else before the password is asked for and a body is read', async () => {
    const site = await openTestApp('sqlite')
    const helper = await site.signedIn({ role: 'helper' })
    site.clock.pass({ minutes: 15 })
    const refused = declared.filter(({ access }) => access === 'owner' || access === 'confirmed')
    expect(refused.length).toBeGreaterThan(20)
    for (const endpoint of refused) {
      const response = await withBrokenBody(site, endpoint, helper)
      expect([response.statusCode, response.json(), response.headers['cache-control']], nameOf(endpoint)).toEqual([
        403,
        { message: 'Only owners of the site may do that. Nothing was changed.', code: 'owner_needed' },
        'no-store',
      ])
    }
  })

  test('is heard in all that a helper may do', async () => {
    const site = await openTestApp('sqlite')
    const helper = await site.signedIn({ role: 'helper' })
    for (const endpoint of forHelpers.filter(({ path }) => path !== watchChanges.path)) {
      const response = await withBrokenBody(site, endpoint, helper)
      expect([401, 403, 500], nameOf(endpoint)).not.toContain(response.statusCode)
    }
    expect((await site.app.inject({ method: 'HEAD', url: watchChanges.path, headers: helper })).statusCode).toBe(200)
  })
})

/** One that is cut off, and no input of any call. */
function withBrokenBody({ app }: TestApp, endpoint: Endpoint, { cookie }: { cookie: string }) {
  const headers = { cookie, ...(endpoint.method !== 'GET' && { 'content-type': 'application/json' }) }
  const payload = endpoint.method === 'GET' ? {} : { payload: '{' }
  return app.inject({ method: endpoint.method, url: addressOf(endpoint), headers, ...payload })
}
