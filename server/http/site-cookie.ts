import type { FastifyReply, FastifyRequest } from 'fastify'

/** A cookie that neither scripts nor other sites get at; where the site is reached by https, bound to https and this host. */
export function siteCookie(name: string, publicUrl: string | undefined) {
  const formOf = (request: FastifyRequest) => {
    const secure = request.protocol === 'https' || (publicUrl?.startsWith('https:') ?? false)
    return {
      name: secure ? `__Host-${name}` : name,
      options: { path: '/', httpOnly: true, sameSite: 'lax', secure } as const,
    }
  }
  return {
    read: (request: FastifyRequest) => request.cookies[formOf(request).name],
    give(request: FastifyRequest, reply: FastifyReply, value: string, milliseconds: number) {
      const cookie = formOf(request)
      reply.setCookie(cookie.name, value, { ...cookie.options, maxAge: Math.floor(milliseconds / 1000) })
    },
    take(request: FastifyRequest, reply: FastifyReply) {
      const cookie = formOf(request)
      reply.clearCookie(cookie.name, cookie.options)
    },
  }
}
