import type { FastifyReply, FastifyRequest } from 'fastify'
import { serverTexts } from '#content/server-texts.ts'
import { chosenLanguage } from './chosen-language.ts'
import type { Problem } from './problem.ts'

/** Whether a browser shows the answer itself, and not a script its sentence. */
export function isForPerson({ method, url, headers }: FastifyRequest) {
  return (method === 'GET' || method === 'POST') && !url.startsWith('/api/') && (headers.accept?.includes('text/html') ?? false)
}

/** A page that needs nothing else of the site: no database, no script, no style sheet. */
export function sendUnavailablePage(request: FastifyRequest, reply: FastifyReply, { status, retryAfterSeconds }: Problem) {
  const { language } = chosenLanguage(request)
  const { title, sentence, again } = serverTexts[language].unavailable
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('retry-after', retryAfterSeconds)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
        `<title>${title}</title><style>${style}</style>` +
        `<main><h1>${title}</h1><p>${sentence}</p><p><a href="">${again}</a></p></main>`,
    )
}

const style = `
body { margin: 0; min-height: 100vh; box-sizing: border-box; padding: 2rem; display: grid; place-content: center;
  background: #14110f; color: #f4efe6; font: 1.125rem/1.6 system-ui, sans-serif }
main { max-width: 32rem }
h1 { font: 400 2.25rem/1.2 Georgia, serif; margin: 0 }
a { display: inline-block; padding: .6rem 1.2rem; border: 1px solid #b8893b; color: inherit; text-decoration: none }`
