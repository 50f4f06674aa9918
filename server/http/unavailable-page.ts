import type { FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '#content/unavailable.ts'
import { defaultLanguage, isLanguage, languageKey } from '#contract/languages.ts'
import type { Problem } from './problem.ts'

/** Whether a person is looking at the answer itself, and not a program that shows them its sentence. */
export function isForPerson({ method, url, headers }: FastifyRequest) {
  return method === 'GET' && !url.startsWith('/api/') && (headers.accept?.includes('text/html') ?? false)
}

/** A page that needs nothing else of the site: no database, no script, no style sheet. */
export function sendUnavailablePage(request: FastifyRequest, reply: FastifyReply, { status, retryAfterSeconds }: Problem) {
  const chosen = new URLSearchParams(request.url.split('?')[1]).get('lang') ?? request.cookies[languageKey]
  const language = isLanguage(chosen) ? chosen : defaultLanguage
  const { title, sentence } = unavailable[language]
  const style =
    'margin:0;min-height:100vh;display:grid;place-content:center;padding:2rem;background:#14110f;color:#f4efe6;font:1.125rem/1.6 system-ui,sans-serif'
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('retry-after', retryAfterSeconds)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>${title}</title><body style="${style}"><main><h1>${title}</h1><p>${sentence}</p></main>`,
    )
}
