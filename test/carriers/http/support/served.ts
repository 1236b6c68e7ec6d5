import { readFile } from 'node:fs/promises'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../../../../src/app.ts'
import { freePort } from '../../../support/free-ports.ts'
import { loadConfig } from '../../../../src/config/load-config.ts'

type Json = ReturnType<typeof JSON.parse>

/** The service as an operator starts it: with a configuration file that names a declared carrier. */
export interface Served extends AsyncDisposable {
  readonly url: string
  /** All that it logged, as text. */
  log(): string
  get(path: string): Promise<Json>
  post(path: string, body: unknown): Promise<Json>
  put(path: string, body: unknown): Promise<{ readonly status: number; readonly json: Json }>
  /** Asks again and again until what is answered holds. */
  until(path: string, holds: (answer: Json) => boolean): Promise<Json>
}

/** Starts it over one of the ready declarations, `replace` put in the place of the provider's own address. */
export async function serveExample(
  example: string,
  environment: Readonly<Record<string, string>>,
  replace: readonly [string, string] | null = null,
): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'nuncio-carrier-'))
  const text = await readFile(`providers/${example}.json`, 'utf8')
  if (replace !== null && !text.includes(replace[0])) {
    throw new Error(`the declaration does not name ${replace[0]}`)
  }
  await writeFile(
    join(folder, 'carrier.json'),
    replace === null ? text : text.replaceAll(...replace),
  )
  const port = await freePort()
  const config = { port, store: 'memory:', carriers: ['./carrier.json'] }
  await writeFile(join(folder, 'nuncio.config.json'), JSON.stringify(config))

  const url = `http://127.0.0.1:${port}`
  const all = { PUBLIC_URL: url, NUNCIO_RATE_LIMIT: '0', ...environment }
  const loaded = await loadConfig({ flags: {}, environment: all, cwd: folder })
  if (!loaded.ok) throw new Error(loaded.faults.join('\n'))
  const lines: string[] = []
  const app = await startApp(loaded.config, {
    log: (level, event, fields) => {
      lines.push(`${level} ${event} ${JSON.stringify(fields ?? {})}`)
    },
  })
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${app.adminKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const json: Json = await answer.json()
    return { status: answer.status, json }
  }

  const served: Served = {
    url,
    log: () => lines.join('\n'),
    get: async (path) => (await ask('GET', path)).json,
    post: async (path, body) => (await ask('POST', path, body)).json,
    put: (path, body) => ask('PUT', path, body),
    until: async (path, holds) => {
      for (let round = 0; round < roundsMax; round += 1) {
        const answer = await served.get(path)
        if (holds(answer)) return answer
      }
      throw new Error(`${path} never came to it: ${JSON.stringify(await served.get(path))}`)
    },
    async [Symbol.asyncDispose]() {
      await app.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return served
}

/** Requests that something may take. */
const roundsMax = 5000
