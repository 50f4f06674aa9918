import type { PanelTexts } from '../en/panel.ts'
import { activity } from './activity.ts'
import { admin } from './admin.ts'
import { backups } from './backups.ts'
import { checks } from './checks.ts'
import { problemTexts as problems } from './problems.ts'
import { settings } from './settings.ts'
import { upload } from './upload.ts'
import { yourSite } from './your-site.ts'

/** What the panel needs at its start: one file. */
export const panel: PanelTexts = { activity, admin, backups, checks, problems, settings, upload, yourSite }
