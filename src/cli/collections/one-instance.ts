import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import { failed, refuse } from '../command.ts'
import { networkReason } from '../failure-text.ts'
import { printable } from '../printable.ts'
import type { ProcessContext } from '../process-context.ts'
import { inputSchema, readApiDocument } from './api-document.ts'
import type { CollectionCall } from './any-collection.ts'
import { withFields } from './field-values.ts'
import { factsText } from './instance-text.ts'

/** Prints one instance; returns the exit code. */
export async function showInstance(call: CollectionCall): Promise<number> {
  const { account } = call.given.values
  return print(await call.collection.get(idOf(call), { account }), call)
}

/** Creates an instance from flags or a file, and prints it; returns the exit code. */
export async function createInstance(call: CollectionCall): Promise<number> {
  const id = call.given.fields.findLast(([name]) => name === 'id')?.[1]
  const input = await inputOf(call, 'post')
  if (typeof input === 'number') return input
  const options = { dryRun: call.given.switches.has('dry-run') }
  const { collection } = call
  return print(
    id === undefined
      ? await collection.create(input, options)
      : await collection.put(id, input, { ...options, ifNoneMatch: '*' }),
    call,
  )
}

/** Changes the given fields of an instance, and prints it; returns the exit code. */
export async function changeInstance(call: CollectionCall): Promise<number> {
  const patch = await inputOf(call, 'patch')
  if (typeof patch === 'number') return patch
  const options = { dryRun: call.given.switches.has('dry-run') }
  return print(await call.collection.patch(idOf(call), patch, options), call)
}

/** Deletes an instance; returns the exit code. */
export async function deleteInstance(call: CollectionCall): Promise<number> {
  const id = idOf(call)
  const { switches } = call.given
  const dryRun = switches.has('dry-run')
  await call.collection.delete(id, { dryRun })
  const done = dryRun ? 'Could delete' : 'Deleted'
  const kept = dryRun ? '; nothing was deleted' : ''
  if (!switches.has('json')) {
    call.context.out.write(`${done} ${printable(`${call.name}/${id}`)}${kept}\n`)
  }
  return 0
}

function idOf({ given }: CollectionCall): string {
  return given.object ?? ''
}

/** Returns the input of a file and of flags; an exit code after a fault. */
async function inputOf(
  { name, given, access, context }: CollectionCall,
  method: 'post' | 'patch',
): Promise<JsonObject | number> {
  const { file } = given.values
  const fields = given.fields.filter(([field]) => field !== 'id')
  if (file === undefined && fields.length === 0) {
    return refuse(context, name, ['Give the fields as flags, or a file: --file <file>'])
  }
  const read = file === undefined ? noFile : await readInput(file, context)
  if (!read.ok) return refuse(context, name, [read.fault])
  // A file needs no types: the service checks it.
  if (fields.length === 0) return read.input

  const document = await readApiDocument(access, context)
  const schema = inputSchema(document, name, method)
  if (schema === null) {
    const verb = method === 'post' ? 'created' : 'changed'
    context.err.write(`${printable(name)} cannot be ${verb} through the API.\n`)
    return failed
  }
  const { input, faults } = withFields(read.input, fields, schema, document)
  return faults.length > 0 ? refuse(context, name, faults) : input
}

const noFile = { ok: true, input: {} } as const

async function print(instance: JsonObject, { given, context }: CollectionCall): Promise<number> {
  const { out } = context
  if (typeof instance['id'] !== 'string') throw await notAnInstance()
  const text = given.switches.has('json')
    ? `${JSON.stringify(instance, null, 2)}\n`
    : factsText(instance, context)
  out.write(text)
  return 0
}

/** Any program answers a GET with JSON: what Nuncio sends has an id. */
async function notAnInstance(): Promise<Error> {
  const { NuncioConnectionError } = await import('@nuncio/client')
  return new NuncioConnectionError('malformed', 'The answer is JSON without an id.')
}

/** The input of a file, or why it cannot be read. */
type FileInput =
  { readonly ok: true; readonly input: JsonObject } | { readonly ok: false; readonly fault: string }

/** Reads a JSON object from a file, or from standard input for the name `-`. */
async function readInput(
  file: string,
  context: Pick<ProcessContext, 'cwd' | 'readInput'>,
): Promise<FileInput> {
  try {
    const value: JsonValue = JSON.parse(await textOf(file, context))
    if (isJsonObject(value)) return { ok: true, input: value }
    return { ok: false, fault: '--file must have one JSON object.' }
  } catch (error) {
    const reason = error instanceof SyntaxError ? 'it is not JSON' : networkReason(error)
    return { ok: false, fault: `--file cannot be read: ${reason}.` }
  }
}

async function textOf(
  file: string,
  { cwd, readInput }: Pick<ProcessContext, 'cwd' | 'readInput'>,
): Promise<string> {
  if (file === '-') return readInput()
  const { readFile } = process.getBuiltinModule('node:fs/promises')
  const { resolve } = process.getBuiltinModule('node:path')
  return readFile(resolve(cwd, file), 'utf8')
}
