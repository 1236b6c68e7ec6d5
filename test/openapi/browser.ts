import { chromium, type Browser } from 'playwright-core'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { installPeer } from '../support/peer.ts'

/** A browser, or why there is none on this machine. */
export type Found =
  | { readonly browser: Browser; readonly reason: null }
  | { readonly browser: null; readonly reason: string }

/**
 * Starts a browser: the Chromium that npm brings for Linux on x64, else one that the machine has.
 * Whatever it is, it can look up no name and so reach nothing but this machine. Where the variable
 * CI is set, having none is a fault and throws.
 */
export async function findBrowser(): Promise<Found> {
  const faults: string[] = []
  for (const find of [packaged, ...installed]) {
    try {
      const browser = await chromium.launch({ ...(await find()), args })
      return { browser, reason: null }
    } catch (error) {
      faults.push(String(error).split('\n', 1)[0] ?? '')
    }
  }
  const reason = `no browser was started: ${faults.join('; ')}`
  if (process.env['CI'] !== undefined) throw new Error(reason)
  return { browser: null, reason }
}

const args = [
  '--disable-gpu',
  '--disable-sync',
  '--disable-quic',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]

const installed = [
  () => Promise.resolve({ channel: 'chrome' }),
  () => Promise.resolve({ channel: 'msedge' }),
  () => Promise.resolve({ executablePath: '/usr/bin/chromium' }),
]

/** The browser of the package, unpacked once beside the other things that npm ci removes. */
async function packaged(): Promise<{ executablePath: string }> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`npm brings no Chromium for ${process.platform} on ${process.arch}`)
  }
  const home = join(installPeer('chromium'), 'node_modules/@sparticuz/chromium')
  const executablePath = join(home, 'unpacked', 'chromium')
  if (existsSync(executablePath)) return { executablePath }

  await mkdir(dirname(executablePath), { recursive: true })
  // Under a name of its own until it is whole, so that no other test starts half a browser.
  const unfinished = `${executablePath}.${process.pid}`
  await pipeline(
    createReadStream(join(home, 'bin', 'chromium.br')),
    createBrotliDecompress({ chunkSize: 1 << 20 }),
    createWriteStream(unfinished, { mode: 0o755 }),
  )
  await rename(unfinished, executablePath)
  return { executablePath }
}
