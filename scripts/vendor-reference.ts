import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { hash } from 'node:crypto'
import origin from '../vendor/scalar/origin.json' with { type: 'json' }

// Packs the release of Scalar's API reference that origin.json names; to renew it, change that file first.
const { name, version, integrity } = origin

const target = new URL('../vendor/scalar/reference.js.br', import.meta.url)

const run = promisify(execFile)
const folder = await mkdtemp(join(tmpdir(), 'nuncio-reference-'))
try {
  await run('npm', ['pack', `${name}@${version}`], { cwd: folder })
  const archive = join(folder, `scalar-api-reference-${version}.tgz`)
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
