import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { wait } from '../../core/ports/clock.ts'
import { callService, openClient, type ServiceAccess } from '../client.ts'
import { failed, refuse } from '../command.ts'
import { printable } from '../printable.ts'
import type { ProcessContext } from '../process-context.ts'
import { flagName, withValues, type CarrierVariable, type ReadyCarrier } from '../ready-carriers.ts'

type Values = Readonly<Record<string, string>>

/** Asks for missing values, creates the carrier, and waits for its state. Returns the exit code. */
export async function addCarrier(
  ready: ReadyCarrier,
  flags: Values,
  access: ServiceAccess,
  context: ProcessContext,
): Promise<number> {
  const read = await valuesOf(ready, flags, context)
  if (read.faults.length > 0) return refuse(context, `carriers add ${ready.id}`, read.faults)
  const id = flags['id'] ?? ready.id
  const body = withValues(ready.carrier, read.values)
  if (!isJsonObject(body)) return failed
  return callService(access, context, async () => {
    const { carriers } = await openClient(access, context)
    await carriers.put(id, { ...body, type: 'HTTP' })
    context.out.write(`${printable(`The carrier ${id} is created.`)}\n`)
    for (const note of notesOf(ready, id, body)) context.out.write(`${printable(note)}\n`)
    return report(id, body, () => carriers.get(id), context)
  })
}

/** Collects the values: flags, then variables, then answers on the terminal. */
async function valuesOf(
  { variables }: ReadyCarrier,
  flags: Values,
  context: ProcessContext,
): Promise<{ readonly values: Values; readonly faults: readonly string[] }> {
  const values: Record<string, string> = {}
  const faults: string[] = []
  for (const variable of variables) {
    const { name } = variable
    const given = flags[flagName(name)] ?? context.environment[name]
    const value = given ?? (await missingValue(variable, context))
    const read = value?.startsWith('@') === true ? fileText(value.slice(1), context) : value
    if (read !== null && read !== undefined && read.trim() !== '') values[name] = read.trim()
    else faults.push(`The value ${name} is missing: give it with --${flagName(name)} or ${name}.`)
  }
  return { values, faults }
}

async function missingValue(
  { meaning, isSecret }: CarrierVariable,
  { ask, random }: ProcessContext,
): Promise<string | null> {
  if (meaning === null) return Buffer.from(random.bytes(24)).toString('base64url')
  return ask(`${meaning}: `, { hidden: isSecret })
}

function fileText(path: string, { cwd }: ProcessContext): string | null {
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const { resolve } = process.getBuiltinModule('node:path')
  try {
    return readFileSync(resolve(cwd, path), 'utf8')
  } catch {
    return null
  }
}

/** Returns the steps at the provider, with the URLs of the callbacks. */
function notesOf(
  { notes, untested }: ReadyCarrier,
  id: string,
  body: JsonObject,
): readonly string[] {
  const settings = objectIn(body, 'settings')
  const secrets = objectIn(settings, 'secrets')
  const { name, value } = objectIn(objectIn(settings, 'callbackAuthentication'), 'query')
  const token = secrets[secretName(String(value))]
  const query = token === undefined ? '' : `?${String(name)}=${encodeURIComponent(String(token))}`
  const origin = String(settings['publicUrl']).replace(/\/+$/, '')
  const filled = notes.map((note) =>
    note
      .replace(
        /\{\{callback\.([\w-]+)\}\}/g,
        (_, callback: string) => `${origin}/v1/carriers/${id}/callbacks/${callback}${query}`,
      )
      .replace(/\{\{secret\.\w+\}\}/g, (text) => String(secrets[secretName(text)])),
  )
  return untested === null ? filled : [...filled, `In part untested: ${untested}`]
}

function secretName(template: string): string {
  return /^\{\{secret\.(\w+)\}\}$/.exec(template)?.[1] ?? ''
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name]
  return value !== undefined && isJsonObject(value) ? value : {}
}

/** The wait between two reads of the state, and the most reads. */
const delayMs = 500
const readsMax = 40

const never = new AbortController().signal

/** Prints the state of the carrier once it is known. */
async function report(
  id: string,
  body: JsonObject,
  read: () => Promise<{ readonly state: string | null; readonly stateReason: string | null }>,
  { out, err, clock }: ProcessContext,
): Promise<number> {
  for (let reads = 0; reads < readsMax; reads += 1) {
    const { state, stateReason } = await read()
    if (state === 'BOUND') {
      const hasCheck = objectIn(body, 'settings')['check'] !== undefined
      out.write(hasCheck ? `The provider accepts the credentials.\n` : `${unchecked}\n`)
      return 0
    }
    if (state === 'DOWN') {
      err.write(`${printable(`The carrier ${id} is DOWN: ${stateReason ?? 'no reason'}.`)}\n`)
      return failed
    }
    await wait(clock, delayMs, never)
  }
  err.write(`${printable(`The state of the carrier ${id} is not known yet.`)}\n`)
  return failed
}

const unchecked =
  'The provider is reachable. It has no check of credentials: send a message to test them.'
