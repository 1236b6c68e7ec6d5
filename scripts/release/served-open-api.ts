import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Starts the built service in memory, reads its OpenAPI document and ends it. */
export async function servedOpenApi(root: string): Promise<string> {
  const env = { ...process.env, NUNCIO_PORT: '0', NUNCIO_STORE: 'memory:' }
  const child = spawn(process.execPath, [join(root, 'dist/bin/nuncio.js'), 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  try {
    let printed = ''
    for await (const chunk of child.stdout) {
      printed += String(chunk)
      const [url] = /http:\/\/127\.0\.0\.1:\d+(?=\/console)/.exec(printed) ?? []
      if (url !== undefined) return await (await fetch(`${url}/v1/openapi.json`)).text()
    }
    throw new Error(`The built service did not start: ${printed}`)
  } finally {
    child.kill('SIGTERM')
    await closed
  }
}
