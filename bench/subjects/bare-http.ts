import { join } from 'node:path'
import { type Running, start } from '../processes.ts'
import type { SentRequest } from '../put-load.ts'
import { temporaryFolder } from '../works/temporary-folder.ts'

/** Node's own server, ready to answer one thing. */
export interface BareHttp extends AsyncDisposable {
  readonly port: number
  readonly pid: number
}

/** The name of the ceiling in tables. */
export const bareHttpName = 'bare node:http, the same bytes'

/** Starts the ceiling of a request: bare `node:http` answering the very bytes that a server answers. */
export async function bareHttp(port: number, request: SentRequest): Promise<BareHttp> {
  const answer = await fetch(`http://127.0.0.1:${port}${request.paths[0]}`, {
    method: request.method,
    headers: request.headers,
    ...(request.body === '' ? {} : { body: request.body }),
  })
  const body = await answer.text()
  if (!answer.ok) throw new Error(`${request.paths[0]} answered ${answer.status}: ${body}`)
  const kept = ['content-type', 'etag', 'link', 'location'].flatMap((name) => {
    const value = answer.headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  const running = await start(
    'bare.ts',
    JSON.stringify({ status: answer.status, headers: Object.fromEntries(kept), body }),
  )
  return {
    port: running.port,
    pid: running.process.pid ?? 0,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  }
}

/** The name of the ceiling that inserts a row, in tables. */
export const bareInsertName = 'node:http and one insertion, nothing checked, commits shared'

/** Starts the ceiling of a durable POST, over a file of its own. */
export async function bareInsert(): Promise<{ readonly running: Running } & AsyncDisposable> {
  const folder = temporaryFolder()
  const running = await start('bare-insert.ts', join(folder.path, 'bare.db'))
  return {
    running,
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}
