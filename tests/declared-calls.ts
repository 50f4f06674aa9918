import { readdirSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Endpoint } from '#contract/endpoint.ts'
import { projectRoot } from '#server/own-program.ts'

/** Every call of the contract. */
export async function declaredCalls(): Promise<Endpoint[]> {
  const folder = path.join(projectRoot, 'contract')
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const modules = await Promise.all(
    files.map((name): Promise<Record<string, unknown>> => import(pathToFileURL(path.join(folder, name)).href)),
  )
  return modules.flatMap((module) => Object.values(module).filter(isEndpoint))
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value
}
