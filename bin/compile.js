import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Starts the service once, on a store of its own, so that what Node makes of its files is kept from the
// installation on (docs/decisions/0016). What goes wrong here the first start makes up for.
const folder = mkdtempSync(join(tmpdir(), 'nuncio-'))
const program = fileURLToPath(new URL('./nuncio.js', import.meta.url))
const store = `sqlite:${join(folder, 'nuncio.db')}`
const service = spawn(process.execPath, [program, 'serve', '--port', '0', '--store', store], {
  cwd: folder,
  env: withoutSettings(process.env),
  stdio: ['ignore', 'pipe', 'ignore'],
})
const late = setTimeout(() => service.kill('SIGKILL'), 60_000)
let said = ''
service.stdout.setEncoding('utf8')
service.stdout.on('data', (text) => {
  said += text
  if (said.includes(' is ready at ')) service.kill('SIGTERM')
})
service.on('error', () => {})
service.on('close', () => {
  clearTimeout(late)
  rmSync(folder, { recursive: true, force: true })
})

/** It is not the service that is set up here. */
function withoutSettings(environment) {
  const others = Object.entries(environment).filter(([name]) => !name.startsWith('NUNCIO_'))
  return Object.fromEntries(others)
}
