import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isInvented, maker } from '#content/maker.ts'
import { withOwn } from '#content/with-own.ts'
import { linkKeys } from '#contract/accounts.ts'
import { contactKey } from '#contract/contacts.admin.ts'
import { galleryPage } from '#contract/first-visit.ts'
import { defaultLanguage } from '#contract/languages.ts'
import { adminPage, homePage, robots, securityText, signInPage, sitemap } from '#contract/pages.ts'
import type { OwnFields } from '#contract/site-fields.ts'
import { linkNeedsOf } from '#server/features/accounts/account-mails.ts'
import * as projects from '#server/features/projects/projects.queries.ts'
import { findPreview } from '#server/features/site-content/site-content.queries.ts'
import { compress, sendAnswer, wholeAnswerTo } from '#server/http/answers.ts'
import { allowOwnFrame } from '#server/http/headers.ts'
import { isFromThisMachine } from '#server/http/own-address.ts'
import { unlessAway } from '#server/http/published.ts'
import { serve } from '#server/http/serve.ts'
import { chosenLanguage } from '#server/http/visitor.ts'
import type { Site } from '#server/site.ts'
import { type PageInput, unknownPath } from '#web/page.ts'
import { type FormParts, formRoutes } from './form.routes.ts'
import { documentOf, withOpeningBar, withPreviewMark } from './renderer.ts'
import { robotsOf, securityTextOf, sitemapText } from './sitemap.ts'

type ProjectName = { id: string; draft: boolean }

type Parts = Pick<
  Site,
  'config' | 'database' | 'clock' | 'published' | 'renderer' | 'ownSite' | 'visits' | 'isOpened' | 'demoAdminActive'
> &
  FormParts

const html = 'text/html; charset=utf-8'
/** The language may come from a cookie. */
const vary = 'Accept-Encoding, Cookie'

export function pageRoutes(app: FastifyInstance, site: Parts) {
  const { published, renderer, ownSite, visits, isOpened } = site
  const { db } = site.database
  // Without an address in the settings pages have relative addresses, so that one page is right for every host.
  const base = () => site.config.publicUrl ?? ''

  serve(app, homePage, async ({ query, request, reply }) => {
    const isClosed = !isOpened()
    if (isClosed && !(await findMaker(request, reply))) return sendOpening(request, reply)
    const { category, project: name, about: aboutName, preview } = query
    const { language, languageAsked } = chosenLanguage(request)
    const shown = Number(query.shown ?? galleryPage)
    // Combinations of model, form and gallery make over a million addresses: cached, they would push out the others.
    const isCached = [name, aboutName, category ?? query.shown].filter(Boolean).length <= 1
    if (!isCached) await app.limitRenders(request)
    const readPage = async (open: ProjectName | undefined, fields?: OwnFields): Promise<PageInput> => {
      const [own, showcase, inList, about] = await Promise.all([
        ownSite.read(language, fields),
        projects.readShowcase(db, category, shown),
        open && projects.findInList(db, open.id, category),
        aboutProject && projects.findAbout(db, aboutProject.id),
      ])
      // It may have been unpublished meanwhile.
      const openProject = inList?.project.draft === open?.draft ? inList : undefined
      const isGone = name !== undefined && !openProject
      return { path: '/', language, languageAsked, base: base(), own, category, ...showcase, openProject, isGone, about }
    }
    const aboutProject = aboutName === undefined ? undefined : await unlessAway(projects.findAbout(db, aboutName), undefined)
    // While the database is unreachable the project may exist, and its page may be cached.
    const named =
      name === undefined
        ? undefined
        : await unlessAway<ProjectName | undefined | 'unknown'>(projects.findBySlugOrId(db, name), 'unknown')
    const isDraft = named !== 'unknown' && named?.draft
    if (isClosed || ((isDraft || preview) && (await app.sessions.find(request, reply)))) {
      const open = named === 'unknown' ? undefined : named
      const fields = preview && (await findPreview(db, preview))
      if (fields) return sendPreview(request, reply, await documentFor({ ...(await readPage(open, fields)), preview }))
      const page = await readPage(open)
      const document = await documentFor(page)
      if (isClosed) return sendPrivate(page.isGone ? reply.code(404) : reply, withOpeningBar(document))
      if (isDraft) return sendPrivate(reply, document)
    }
    const isShown = named === 'unknown' || (named && !named.draft)
    // All addresses of projects that do not exist share one page.
    const called = isShown ? `named ${name?.toLowerCase()}` : name && 'gone'
    const key = ['page', language, languageAsked, called, category, shown, aboutProject && `about ${aboutProject.id}`].join(' ')
    const make = async () => {
      const project = named === 'unknown' && name ? await projects.findBySlugOrId(db, name) : named
      const input = await readPage(project !== 'unknown' && project && !project.draft ? project : undefined)
      return { body: () => documentFor(input), contentType: html, vary, ...(input.isGone && { status: 404 }) }
    }
    const count = visits.ofPage(language, named !== 'unknown' && isShown ? named?.id : undefined)
    if (!isCached) {
      count(request.raw)
      return sendAnswer(reply, wholeAnswerTo(request.headers, await compress(await make(), 'fast')))
    }
    if (published.needsRendering(key)) await app.limitRenders(request)
    // It may have been closed meanwhile, and what is cached now is sent without another look.
    if (!isOpened()) return sendOpening(request, reply)
    // Not as a ready answer, which is sent without a look at the session: with one this address is another page.
    if (preview) return sendAnswer(reply, wholeAnswerTo(request.headers, await published.get(key, make)))
    return published.send(request, reply, key, make, count)
  })

  // Without the models, so that a refused form costs little and works while the database is unreachable.
  formRoutes(app, site, async (request, reply, form) => {
    if (!isOpened() && !(await findMaker(request, reply))) return openingDocument(request)
    // After a message is stored the visitor must see that.
    if (form.sentForm.outcome !== 'sent') await app.limitRenders(request)
    const chosen = chosenLanguage(request)
    return documentFor({ path: '/', ...chosen, base: base(), own: await ownSite.readOrLast(chosen.language), ...form })
  })

  serve(app, adminPage, async ({ request, reply }) => {
    const chosen = chosenLanguage(request)
    const admin = await app.sessions.find(request, reply)
    if (!admin) return redirectTo(request, reply, signInPage.path)
    const input = { path: adminPage.path, ...chosen, base: base(), role: admin.role }
    return sendPrivate(reply, await documentFor(await withOwnSite(input)))
  })

  serve(app, signInPage, async ({ request, reply }) => {
    const chosen = chosenLanguage(request)
    const hasToken = Object.values(linkKeys).some((key) => key in (request.query as object))
    // Its token must not reach the log of a proxy with every file of the page.
    if (hasToken) reply.header('referrer-policy', 'no-referrer')
    else if (await app.sessions.find(request, reply)) return redirectTo(request, reply, adminPage.path)
    const demoHint = isFromThisMachine(request.raw) && (await site.demoAdminActive())
    const mailsLinks = linkNeedsOf(site).length === 0
    const input = { path: signInPage.path, ...chosen, base: base(), demoHint, mailsLinks }
    return sendPrivate(reply, await documentFor(await withOwnSite(input)))
  })

  serve(app, robots, async ({ request, reply }) =>
    published.send(request, reply, 'robots', async () => ({
      body: robotsOf(isOpened() ? base() : ''),
      contentType: 'text/plain; charset=utf-8',
    })),
  )

  serve(app, sitemap, async ({ request, reply }) => {
    if (!isOpened()) return answerUnknownPage(request, reply)
    return published.send(request, reply, 'sitemap', async () => ({
      body: sitemapText(base(), projects.eachInSitemap(db)),
      contentType: 'application/xml; charset=utf-8',
    }))
  })

  serve(app, securityText, async ({ request, reply }) => {
    const own = await ownSite.read(defaultLanguage)
    const { email } = withOwn(maker, own?.facts)
    if (!email) return answerUnknownPage(request, reply)
    const text = securityTextOf({ base: base(), email, now: site.clock.now() })
    return reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(text)
  })

  /** The session of a maker, who sees the page before it is open. */
  function findMaker(request: FastifyRequest, reply: FastifyReply) {
    return unlessAway(app.sessions.find(request, reply), undefined)
  }

  /** Whatever the address names: there is nothing to open yet. */
  async function sendOpening(request: FastifyRequest, reply: FastifyReply) {
    const page = await published.get(`opening ${chosenLanguage(request).language}`, async () => ({
      body: await openingDocument(request),
      contentType: html,
      vary,
      noindex: true,
    }))
    // Not as a ready answer: with a session this address is another page.
    return sendAnswer(reply, wholeAnswerTo(request.headers, page))
  }

  async function openingDocument(request: FastifyRequest) {
    const { language } = chosenLanguage(request)
    const { brand, email, accent } = withOwn(maker, (await ownSite.readOrLast(language))?.facts)
    return renderer.opening({ base: base(), language, brand, email: isInvented(email) ? undefined : email, accent })
  }

  /** The 404 page. */
  async function answerUnknownPage(request: FastifyRequest, reply: FastifyReply) {
    const chosen = chosenLanguage(request)
    return published.send(request, reply, `not found ${chosen.language} ${chosen.languageAsked}`, async () => ({
      body: await documentFor(await withOwnSite({ path: unknownPath, ...chosen, base: base() })),
      contentType: html,
      status: 404,
      vary,
    }))
  }

  async function withOwnSite(input: PageInput): Promise<PageInput> {
    return { ...input, own: await ownSite.read(input.language) }
  }

  async function documentFor(input: PageInput) {
    const [template, page] = await Promise.all([renderer.template(), renderer.render(input)])
    return documentOf(template, page)
  }

  return { answerUnknownPage }
}

function redirectTo(request: FastifyRequest, reply: FastifyReply, path: string) {
  const { language, languageAsked } = chosenLanguage(request)
  const contact = (request.query as Record<string, unknown>)[contactKey]
  const query = new URLSearchParams({
    ...(languageAsked && { lang: language }),
    ...(typeof contact === 'string' && /^[\w-]{36}$/.test(contact) && { [contactKey]: contact }),
  })
  return reply.header('cache-control', 'no-store').redirect(query.size > 0 ? `${path}?${query}` : path, 302)
}

function sendPreview(request: FastifyRequest, reply: FastifyReply, document: string) {
  const isFramed = request.headers['sec-fetch-dest'] === 'iframe'
  const { language } = chosenLanguage(request)
  allowOwnFrame(reply).header('x-robots-tag', 'noindex')
  return sendPrivate(reply, isFramed ? document : withPreviewMark(document, language))
}

function sendPrivate(reply: FastifyReply, body: string) {
  return reply.header('cache-control', 'no-store').type(html).send(body)
}
