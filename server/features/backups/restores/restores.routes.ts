import type { FastifyInstance } from 'fastify'
import {
  applyMerge,
  beginBackupUpload,
  dropBackupUpload,
  previewMerge,
  putReportAway,
  sendBackupPart,
  showFilePhoto,
  undoMerge,
} from '#contract/restores.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import type { Site } from '#server/site.ts'

export async function restoreRoutes(app: FastifyInstance, { backups }: Pick<Site, 'backups'>) {
  const open = async () => (await backups.openBackups()).restores

  serve(app, beginBackupUpload, async ({ body, admin: { adminId } }) => (await open()).sent.begin({ ...body, adminId }))

  // In a scope of its own: bodies are not read before the handler.
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    serve(scope, sendBackupPart, async ({ params: { id, part }, admin: { adminId }, request }) => {
      const { sent } = await open()
      await sent.receive(id, Number(part), { adminId, body: request.raw })
      return { message: 'The part has arrived.' }
    })
  })

  serve(app, dropBackupUpload, async ({ params: { id }, admin: { adminId } }) => {
    await (await open()).sent.drop(id, adminId)
    return { message: 'The file was removed.' }
  })

  serve(app, previewMerge, async ({ body, admin: { adminId } }) => (await open()).preview({ ...body, adminId }))

  serve(app, showFilePhoto, async ({ query: { filename, upload, hash }, admin: { adminId }, reply }) => {
    const source = upload ? { upload } : filename ? { filename } : undefined
    if (!source) throw new Problem('not_found')
    const content = await (await open()).readPhoto(source, { hash, adminId })
    return reply.header('cross-origin-resource-policy', 'same-origin').type('image/webp').send(content)
  })

  serve(app, applyMerge, async ({ body, admin: { adminId } }) => (await open()).apply({ ...body, adminId }))

  serve(app, undoMerge, async ({ params: { id } }) => (await open()).undo(id))

  serve(app, putReportAway, async ({ params: { id } }) => {
    await (await open()).putAway(id)
    return { message: 'The report was put away.' }
  })
}
