import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { builtIn } from '../../../src/collections/built-in.ts'
import { isServed } from '../../../src/core/declaration/collection.ts'
import { wireDocuments } from '../../../src/wiring/wire-documents.ts'
import { installPeer } from '../../support/peer.ts'
import { unopenedCarriers } from '../../support/unopened-carriers.ts'

const run = promisify(execFile)

const folder = installPeer('openapi-clients')
/** Where no check of the project finds what the generators write. */
const generated = join(folder, 'node_modules', '.generated')

/** What people write with openapi-fetch: no cast, no assertion. */
const withOpenApiFetch = `
import createClient from 'openapi-fetch'
import type { paths } from './schema.js'

const client = createClient<paths>({ baseUrl: 'http://127.0.0.1:8080' })

const sent = await client.POST('/v1/messages', { body: { to: '+4915112345678', body: 'Hello' } })
if (sent.error !== undefined) throw new Error(sent.error.detail)
export const id: string = sent.data.id
export const status: string = sent.data.status.type

const found = await client.GET('/v1/messages', {
  params: { query: { sort: ['createdAt_desc'], pageSize: 10, to: ['+4915112345678'] } },
})
export const first: string | undefined = found.data?.[0]?.id

const webhook = await client.POST('/v1/webhooks', { body: { url: 'https://shop.example/' } })
export const secret: string | undefined = webhook.data?.secret

await client.POST('/v1/contacts', { body: { address: '+4915112345678' } })
await client.PUT('/v1/contacts/{id}', { params: { path: { id: 'ann' } }, body: { address: '12345' } })
await client.PATCH('/v1/messages/{id}', {
  params: { path: { id } },
  body: { status: { type: 'CANCELLED' } },
})
await client.DELETE('/v1/contacts/{id}', { params: { path: { id: 'ann' } } })

// @ts-expect-error a message has a recipient
await client.POST('/v1/messages', { body: { body: 'Hello' } })
`

/** What people write with the functions that hey-api generates. */
const withHeyApi = `
import { createContact, createMessage, createWebhook, listMessages, putContact } from './hey-api/index.js'

const sent = await createMessage({ body: { to: '+4915112345678', body: 'Hello' }, throwOnError: true })
export const id: string = sent.data.id
export const status: string = sent.data.status.type

const found = await listMessages({ query: { sort: ['createdAt_desc'], pageSize: 10 } })
export const first: string | undefined = found.data?.[0]?.id

const webhook = await createWebhook({ body: { url: 'https://shop.example/' } })
export const secret: string | undefined = webhook.data?.secret

await createContact({ body: { address: '+4915112345678' } })
await putContact({ path: { id: 'ann' }, body: { address: '12345' } })

// @ts-expect-error a message has a recipient
await createMessage({ body: { body: 'Hello' } })
`

describe('The OpenAPI document', () => {
  before(async () => {
    await rm(generated, { recursive: true, force: true })
    await mkdir(generated, { recursive: true })
    await writeFile(join(generated, 'openapi.json'), description())
    await writeFile(join(generated, 'package.json'), '{"type":"module"}')
  })

  it('suits openapi-typescript and openapi-fetch with their default options', async () => {
    await tool('openapi-typescript', 'openapi.json', '-o', 'schema.d.ts')

    await compile('fetch.ts', withOpenApiFetch)
  })

  it('suits @hey-api/openapi-ts with its default options', async () => {
    await tool('openapi-ts', '-i', 'openapi.json', '-o', 'hey-api')

    await compile('hey-api.ts', withHeyApi)
  })
})

function description(): string {
  const versions = [{ name: 'v1', changes: [] }]
  const choices = {
    types: ['SENT'],
    typesDefault: ['SENT'],
    statuses: ['SENT'],
    statusesDefault: [],
  }
  return wireDocuments(builtIn.filter(isServed), versions, choices, unopenedCarriers).openApi('v1')
}

async function tool(name: string, ...given: readonly string[]): Promise<void> {
  await run(join(folder, 'node_modules', '.bin', name), given, { cwd: generated })
}

/** Compiles a program strictly; fails with what the compiler says. */
async function compile(name: string, program: string): Promise<void> {
  await writeFile(join(generated, name), program)
  const compiler = join(folder, '../../../node_modules/.bin/tsc')
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--target',
    'esnext',
    '--module',
    'esnext',
  ]
  const more = [
    '--moduleResolution',
    'bundler',
    '--skipLibCheck',
    '--lib',
    'esnext,dom',
    '--types',
    '',
  ]
  try {
    await run(compiler, [...options, ...more, name], { cwd: generated })
  } catch (error) {
    const isTold = typeof error === 'object' && error !== null && 'stdout' in error
    assert.fail(isTold ? String(error.stdout) : String(error))
  }
}
