import { join } from 'node:path'
import { project } from '../../../support/program.ts'

const imports = `
import { createClient, NuncioProblem } from '@nuncio/client'
import { receiver, secretFrom, secretKey, sign } from '@nuncio/receiver'
import { collection, defineConfig, text } from 'nuncio'
`

const statements = `
const problem = {
  type: '/problems/not-found', title: 'Not found', status: 404, detail: 'none', instance: '/', requestId: 'r',
}
const client = createClient({
  baseUrl: 'http://service.example',
  key: 'nuncio_key',
  fetch: async (url) => new Response(JSON.stringify(problem), {
    status: 404, headers: { 'content-type': 'application/problem+json', url },
  }),
})
try {
  await client.messages.get('m')
} catch (error) {
  console.log(error instanceof NuncioProblem && error.type)
}

const secret = 'whsec_bnVuY2lvLWV4YW1wbGUtc2VjcmV0LTAwMDE='
const body = JSON.stringify([{ id: 'm', type: 'RECEIVED', from: '+1', body: 'hello' }])
const receive = receiver({ secrets: secret, RECEIVED: async ({ from, body }) => console.log(from, body) })
const timestamp = Math.floor(Date.now() / 1000)
const signature = sign(secretKey(secret), { id: 'b', timestamp, body })
const headers = {
  'webhook-id': 'b', 'webhook-timestamp': String(timestamp), 'webhook-signature': signature,
  'content-type': 'application/json',
}
console.log((await receive({ headers, body })).status)
console.log(typeof secretFrom)

const shops = collection({
  name: 'shops', noun: 'shop', description: 'A shop.', fields: { name: text({ required: true }) },
})
console.log(defineConfig({ collections: [shops] }).collections?.length)
`

/** A program of somebody who has installed the packages. It is JavaScript and TypeScript alike. */
export const moduleProgram = imports + statements

/** The same as CommonJS, which cannot await outside a function. */
export const commonJsProgram = `${imports}async function main(): Promise<void> {${statements}}\nvoid main()\n`

/** What it prints. */
export const printed = 'not-found\n+1 hello\n204\nfunction\n1\n'

/** A field that can have no value stops the start with a message, so nothing stays running. */
export const wrongConfiguration = `
  import { collection, defineConfig, text } from 'nuncio'
  const shops = collection({
    name: 'shops', noun: 'shop', description: 'A shop.', fields: { name: text() },
  })
  export default defineConfig({ store: 'memory:', port: 0, collections: [shops] })
`

/** A search is expensive, so a thread runs it. */
export const threadProgram = `
  import { sqliteStore } from './node_modules/nuncio/src/stores/sqlite/sqlite-store.js'
  import { messages } from './node_modules/nuncio/src/collections/messages.js'
  const store = await sqliteStore('./nuncio.db', [messages])
  const signal = () => new AbortController().signal
  const limits = { signal, remainingMs: () => 60000, mayBePartial: true }
  const filter = { conditions: [], searchTerms: ['x'] }
  console.log(await store.count('default', messages, null, filter, limits))
  await store[Symbol.asyncDispose]()
`

/** Returns the options of a strict TypeScript project. */
export function strictProject(
  options: Readonly<Record<string, string | readonly string[]>>,
  file: string,
): string {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable'],
    typeRoots: [join(project, 'node_modules/@types')],
    types: ['node'],
    ...options,
  }
  return JSON.stringify({ compilerOptions, files: [file] })
}
