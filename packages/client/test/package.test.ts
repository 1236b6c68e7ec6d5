import assert from 'node:assert/strict'
import { cp, glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { buildPackage, compile, here } from './support/build-package.ts'

/** Compiler options of a runtime without Node: the client supports every one. */
const webOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  module: 'nodenext',
  noEmit: true,
  allowImportingTsExtensions: true,
}

describe('the package', () => {
  let folder = ''
  let home = ''

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nuncio-client-'))
    home = await buildPackage(folder)
  })
  after(() => rm(folder, { recursive: true }))

  it('imports nothing at run time but its own files', async () => {
    const files = await Array.fromAsync(glob(join(home, 'packages/client/src/**/*.js')))

    assert.ok(files.length > 10)
    for (const file of files) {
      const code = await readFile(file, 'utf8')
      for (const [, name = ''] of code.matchAll(/\bfrom\s+['"]([^'"]+)['"]|\bimport\(/g)) {
        assert.match(name, /^(\.{1,2}\/)+([a-z-]+\/)?[a-z-]+\.js$/, file)
      }
    }
  })

  it('has no dependencies', async () => {
    const manifest: Record<string, unknown> = JSON.parse(
      await readFile(here('package.json'), 'utf8'),
    )

    const fields = Object.keys(manifest).filter((name) => /dependencies/i.test(name))

    assert.deepEqual(fields, [])
  })

  it('uses only what ECMAScript 2022 and browsers have', async () => {
    const files = await Array.fromAsync(glob(join(home, 'src/**/*.js')))
    await Promise.all(files.map((file) => rm(file)))
    await cp(here('src'), join(home, 'packages/client/src'), { recursive: true })
    const options = { compilerOptions: webOptions, include: ['packages/client/src/**/*.ts'] }
    await writeFile(join(home, 'tsconfig.json'), JSON.stringify(options))

    await compile('-p', home)
  })
})
