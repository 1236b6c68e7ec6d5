import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { hash } from 'node:crypto'

/** The release of Scalar's API reference; to renew it, change both and run this script. */
const release = '1.72.1'
const integrity =
  'sha512-XpEJ0rfc/cXbCrR+iC4kK0o/WwX2dTtGQbT049OlPKAHD6IMIFdTeGz2r+M27P2EDWKyUITRm/NzlP8z2pw/Ow=='

const target = new URL('../vendor/scalar/reference.js.br', import.meta.url)

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'nuncio-reference-'))
try {
  await run('npm', ['pack', `@scalar/api-reference@${release}`], { cwd: folder })
  const archive = join(folder, `scalar-api-reference-${release}.tgz`)
  const digest = `sha512-${hash('sha512', await readFile(archive), 'base64')}`
  if (digest !== integrity) throw new Error(`${archive} has the digest ${digest}`)
  await run('tar', ['xzf', archive, '-C', folder, 'package/dist/browser/standalone.js'])
  const bundle = await readFile(join(folder, 'package/dist/browser/standalone.js'))
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  }
  await writeFile(target, await promisify(brotliCompress)(bundle, { params }))
} finally {
  await rm(folder, { recursive: true, force: true })
}
