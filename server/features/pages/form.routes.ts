import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendFromPage } from '#contract/pages.ts'
import { contactsOfVisitor, receiveContact } from '#server/features/contacts/receive-contact.ts'
import { photosOfVisitor, receivePhoto } from '#server/features/contacts/visitor-photos.ts'
import { findAbout } from '#server/features/projects/projects.queries.ts'
import { loggedProblem } from '#server/http/errors.ts'
import { Problem } from '#server/http/problem.ts'
import { serve } from '#server/http/serve.ts'
import { chosenLanguage } from '#server/http/visitor.ts'
import type { Site } from '#server/site.ts'
import type { AboutProject, SentForm } from '#web/page.ts'
import { dropPhotos, entriesIn, noForm, type PageForm, readDraft, readForm } from './page-form.ts'

export type FormParts = Pick<Site, 'config' | 'database' | 'storage' | 'clock' | 'mailer' | 'encoder' | 'visits'>

/** Renders the home page with the form in it. */
type RenderForm = (
  request: FastifyRequest,
  reply: FastifyReply,
  form: { sentForm: SentForm; about: AboutProject | undefined },
) => Promise<string>

/** The contact form without JavaScript. Every answer is the page with the outcome and all entries. */
export function formRoutes(app: FastifyInstance, site: FormParts, renderForm: RenderForm) {
  const { db } = site.database
  const forms = new WeakMap<FastifyRequest, PageForm>()

  app.register(async (scope) => {
    // Only this route accepts forms.
    scope.removeAllContentTypeParsers()
    // The handler reads it as a stream.
    scope.addContentTypeParser('multipart/form-data', (_request, _body, done) => done(null))
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    scope.setErrorHandler(async (error: FastifyError, request, reply) => {
      if (!isForm(request)) throw error
      const problem = loggedProblem(error, request)
      const form = forms.get(request) ?? (await readForm(request).catch(() => noForm))
      if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', problem.retryAfterSeconds)
      return answer(request, reply.code(problem.status), form, { outcome: outcomes[problem.code] ?? 'failed' })
    })

    serve(scope, sendFromPage, async ({ request, reply }) => {
      // Caught, because a refused form is sent back with its entries.
      const refused = await app.limitRequests(request, contactsOfVisitor, reply).then(
        () => undefined,
        (error: unknown) => error,
      )
      // A body can be read once: the error handler must not read it again.
      forms.set(request, noForm)
      const form = await readForm(request, refused ? undefined : (content) => receiveOne(request, content))
      forms.set(request, form)
      if (refused) throw refused
      try {
        const read = readDraft(form, chosenLanguage(request).language)
        if ('faults' in read) return await answer(request, reply.code(400), form, { outcome: 'refused', faults: read.faults })
        const { tickets, photosLost } = await keepPhotos(form)
        const received = await receiveContact(site, { ...read.draft, photos: tickets }, () => reply.raw.destroyed)
        if (received.isNew) site.visits.ofMessage(request.raw, received.about)
        const { name, email, message } = read.draft
        return await answer(request, reply, noForm, {
          outcome: 'sent',
          photosLost: photosLost + received.photosLost,
          sent: { name, email, message, answerBy: received.answerBy },
        })
      } finally {
        await dropPhotos(form)
      }
    })
  })

  async function receiveOne(request: FastifyRequest, content: AsyncIterable<Buffer>) {
    await app.limitRequests(request, photosOfVisitor)
    return receivePhoto(site, content, request.ip)
  }

  /** The message is stored without the photos that fail. */
  async function keepPhotos({ photos, photosRefused }: PageForm) {
    const tickets: string[] = []
    let photosLost = photosRefused
    for (const photo of photos) {
      try {
        tickets.push(await photo.keep())
      } catch (error) {
        if (!(error instanceof Problem)) app.log.error({ err: error }, 'a photo of a visitor could not be stored')
        photosLost += 1
      }
    }
    return { tickets, photosLost }
  }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    form: PageForm,
    { photosLost = form.photos.length + form.photosRefused, faults = [], outcome, sent }: Answered,
  ) {
    const { about: name } = form.fields
    const about = name ? await findAbout(db, name).catch(() => undefined) : undefined
    const sentForm = { outcome, photosLost, entries: entriesIn(form), faults, ...(sent && { sent }) }
    const page = await renderForm(request, reply, { sentForm, about })
    return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page)
  }
}

type Answered = Pick<SentForm, 'outcome'> & Partial<Pick<SentForm, 'photosLost' | 'faults' | 'sent'>>

const outcomes: Readonly<Record<string, SentForm['outcome']>> = {
  too_many_requests: 'tooOften',
  too_many_inquiries: 'tooMany',
}

function isForm({ headers }: FastifyRequest) {
  return /^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(headers['content-type'] ?? '')
}
