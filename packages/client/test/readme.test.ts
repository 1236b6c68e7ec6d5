import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { contacts } from '../../../src/collections/contacts.ts'
import { messages } from '../../../src/collections/messages.ts'
import { buildPackage, compile, here } from './support/build-package.ts'
import { fakeService } from './support/fake-service.ts'

/** The configuration that the page speaks of, plain data as in a JSON file. */
const config = {
  collections: [
    {
      name: 'customers',
      noun: 'customer',
      description: 'A buyer.',
      fields: { name: { kind: 'text', required: true } },
    },
    {
      name: 'orders',
      noun: 'order',
      description: 'What a customer wants.',
      parent: 'customers',
      fields: { total: { kind: 'integer', required: true } },
    },
  ],
} as const

describe('the README', () => {
  it('shows programs that compile against the package, and do what it says', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'nuncio-readme-'))
    t.after(() => rm(folder, { recursive: true }))
    await buildPackage(folder)
    const service = await fakeService(t, [messages, contacts, ...config.collections])
    const readme = await readFile(here('README.md'), 'utf8')
    const program = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)]
      .map(([, code]) => code)
      .join('\n')
      .replaceAll('http://127.0.0.1:8080', service.baseUrl)
      .replaceAll('nuncio_…', service.key)

    const endOfFollowing = `
      console.log(order.total)
      const enough = async (place: string | null) => { throw new Error(String(place)) }
      await follow('0', enough).catch((error: Error) => console.log(error.message))
    `
    const file = join(folder, 'example.ts')
    await writeFile(file, program + endOfFollowing)
    await writeFile(
      join(folder, 'nuncio.config.ts'),
      `const config = ${JSON.stringify(config)} as const\nexport default config\n`,
    )
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))

    await compile('-p', folder)
    const { stdout } = await promisify(execFile)(process.execPath, [file])

    assert.deepEqual(stdout.trimEnd().split('\n'), [
      'DELIVERED',
      '1 of 1',
      '+4915112345678',
      "[ { pointer: '/to', detail: 'is no number' } ]",
      '100',
      'messages_0001 is DELIVERED',
      '1',
    ])
  })
})

/** Compiler options of a strict program in a browser; the types of libraries are checked too. */
const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: 'es2022',
  lib: ['es2022', 'dom'],
  types: [],
  module: 'nodenext',
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: false,
}
