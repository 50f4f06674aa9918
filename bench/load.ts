import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { withFolder } from './site.ts'

export type Headers = Record<string, string>
/** `NUMBER` in a body becomes another number each time. */
export type LoadRequest = { method: string; path: string; headers: Headers; body?: string }
type Load = { url: string; headers?: Headers; connections: number; seconds: number }
type Script = { requests?: readonly LoadRequest[]; mayBeRefused?: boolean }

/** Asks as fast as it is answered, by wrk: a generator in JavaScript takes as much processor time as the server. */
export function load({ url, headers = {}, requests, mayBeRefused, connections, seconds }: Load & Script) {
  return withFolder(async (folder) => {
    const script = path.join(folder, 'requests.lua')
    if (requests) await writeFile(script, scriptOf(requests))
    const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout=30s', ...(requests ? ['-s', script] : [])]
    options.push(...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]), url)
    const { stdout } = await promisify(execFile)('wrk', options).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? new Error('wrk was not found. Install it: apt-get install wrk') : error
    })
    const numberIn = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0)
    const failed = numberIn(/Non-2xx or 3xx responses: (\d+)/)
    if ((failed > 0 && !mayBeRefused) || /Socket errors/.test(stdout)) throw new Error(`${url}: ${stdout}`)
    return {
      requests: numberIn(/(\d+) requests in/),
      perSecond: numberIn(/Requests\/sec:\s+([\d.]+)/),
      tooMany: numberIn(/too many: (\d+)/),
    }
  })
}

/** wrk's own script asks for one address only. */
function scriptOf(requests: readonly LoadRequest[]) {
  const text = JSON.stringify
  const tables = requests.map(({ method, path: address, headers, body }) => {
    const pairs = Object.entries(headers).map(([name, value]) => `[${text(name)}]=${text(value)}`)
    return `{${text(method)},${text(address)},{${pairs}},${body === undefined ? 'nil' : text(body)}}`
  })
  return `
    local requests, number, only = {${tables}}, 0, nil
    tooMany = 0
    function setup(thread) only = thread end
    function request()
      number = number + 1
      local method, path, headers, body = unpack(requests[number % #requests + 1], 1, 4)
      return wrk.format(method, path, headers, body and body:gsub('NUMBER', number) or nil)
    end
    function response(status) if status == 429 then tooMany = tooMany + 1 end end
    function done() print('too many: ' .. only:get('tooMany')) end`
}
