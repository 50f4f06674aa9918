import { expect, test } from 'vitest'
import { admin as adminEn } from './en/admin.ts'
import { backups as backupsEn } from './en/backups.ts'
import { site as en } from './en/site.ts'
import { upload as uploadEn } from './en/upload.ts'

test('what is said of a call that failed is SPEC’s in English', () => {
  expect(en.contact.form.failedText).toBe('Failed to send message. Please try again.')
  expect(en.gallery.failed).toBe('Failed to fetch projects')
  expect(adminEn.signIn.failed).toBe('Invalid credentials. Please try again.')
  expect(adminEn.dashboard.logoutFailed).toBe('Failed to logout')
  expect(adminEn.projects).toMatchObject({
    createFailed: 'Failed to create project',
    updateFailed: 'Failed to update project',
    deleteFailed: 'Failed to delete project',
  })
  expect(adminEn.messages.deleteFailed).toBe('Failed to delete contact message')
  expect(adminEn.accounts).toMatchObject({
    createFailed: 'Failed to create admin user',
    changeFailed: 'Failed to change password',
    deleteFailed: 'Failed to delete admin user',
  })
  expect(backupsEn).toMatchObject({
    database: { failed: 'Failed to create database backup' },
    export: { failed: 'Failed to export application data' },
    import: { failed: 'Failed to import data', invalid: 'Invalid JSON format' },
    complete: { failed: 'Failed to create complete backup' },
    restore: { failed: 'Failed to restore complete backup', uploadFailed: 'Upload failed', notZip: 'Please select a ZIP file' },
  })
  expect(uploadEn).toMatchObject({ noAddress: 'Failed to get upload URL', failed: 'Upload failed' })
})
