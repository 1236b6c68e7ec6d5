import { qualifiedName } from '../../core/declaration/collection.ts'
import type { JsonObject } from '../../core/json.ts'
import { invalidBody, Problem } from '../../core/problem.ts'
import { allows, type Access } from '../../core/account.ts'
import type { Stored, Transaction, Writer } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import type { Compiled } from '../compiled.ts'
import { checkWrite } from '../conditions.ts'
import { keepAnswer, replay } from '../idempotency.ts'
import { readInput } from '../input.ts'
import {
  answerToRead,
  answerWith,
  checkParent,
  notFound,
  type Engine,
  type EngineOperation,
  type OperationRequest,
} from '../operation.ts'
import { homeOf, reachOf } from '../account-reach.ts'
import { write } from '../write.ts'
import { listInstances } from './list.ts'

/** Lists the instances that belong to the parent: GET /v1/{parents}/{id}/{members}. */
export const listMembers: EngineOperation = async (request, engine) => {
  const shown = shownBy(request, engine)
  checkMay(request, shown, 'read')
  const members = { entries: request.compiled.declared, parent: parentOf(request) }
  return listInstances(request, engine, { compiled: shown, parent: null, narrowed: { members } })
}

/** Reads an instance if it belongs to the parent: GET /v1/{parents}/{id}/{members}/{subid}. */
export const readMember: EngineOperation = async (request, engine) => {
  const shown = shownBy(request, engine)
  checkMay(request, shown, 'read')
  return engine.store.read(reachOf(request), async (reader) => {
    await checkParent(request, reader)
    const { compiled, id } = request
    const entry = await reader.find(compiled.declared, { id, parent: parentOf(request) })
    const stored = entry === null ? null : await reader.find(shown.declared, { id })
    return answerToRead(request, shown, stored, reader, engine)
  })
}

/**
 * Adds a member: POST /v1/{parents}/{id}/{members}. The body names an instance by `{"id": …}`, or
 * has the fields of a new one. An instance that belongs already stays.
 */
export const addMember: EngineOperation = async (request, engine) => {
  const shown = shownBy(request, engine)
  const home = await homeOf(request, engine)
  return engine.store.transact(async (transaction) => {
    const writer = transaction.in(home)
    await checkParent(request, writer)
    const replayed = await replay(request, writer, engine)
    if (replayed !== null) return replayed

    const body = request.body()
    const stored = isName(body)
      ? await existing(request, shown, body['id'], writer)
      : await made(request, shown, body, transaction, writer, engine)
    await enter(request, stored.id, writer, engine)

    const { headers, ...rest } = await answerWith(201, shown, stored, {}, writer, engine)
    const location = `${request.path}/${stored.id}`
    const answer = { ...rest, headers: { ...headers, location } }
    await keepAnswer(request, answer, writer, engine)
    return answer
  })
}

/** Ends a membership: DELETE /v1/{parents}/{id}/{members}/{subid}. The instance stays. */
export const removeMember: EngineOperation = async (request, engine) => {
  const shown = shownBy(request, engine)
  const home = await homeOf(request, engine)
  return engine.store.transact(async (transaction) => {
    const writer = transaction.in(home)
    await checkParent(request, writer)
    const { compiled, id, conditions } = request
    const key = { id, parent: parentOf(request) }
    const entry = await writer.find(compiled.declared, key)
    const stored = entry === null ? null : await writer.find(shown.declared, { id })
    if (stored === null) throw notFound(shown, id)
    checkWrite(conditions, stored.revision)
    await writer.remove(compiled.declared, key)
    return { status: 204, headers: {}, body: null }
  })
}

/** Returns the collection of the members. */
export function shownBy({ compiled }: OperationRequest, { catalogue }: Engine): Compiled {
  const { members } = compiled
  const shown = members === null ? null : catalogue.find(qualifiedName(members))
  if (shown === null) throw new Error(`${compiled.declared.name} hold no members`)
  return shown
}

function parentOf({ parent }: OperationRequest): string {
  return parent?.id ?? ''
}

/** Members belong to another collection: the key needs access to that one too. */
function checkMay({ principal }: OperationRequest, { declared }: Compiled, access: Access): void {
  if (allows(principal.scopes, declared.name, access)) return
  throw new Problem('forbidden', `The key lacks the scope ${declared.name}:${access}.`)
}

/** Returns whether a body names an existing instance: it contains only an identifier. */
function isName(body: JsonObject): boolean {
  return Object.keys(body).join() === 'id'
}

async function existing(
  request: OperationRequest,
  shown: Compiled,
  id: unknown,
  writer: Writer,
): Promise<Stored> {
  checkMay(request, shown, 'read')
  const stored = typeof id === 'string' ? await writer.find(shown.declared, { id }) : null
  if (stored !== null) return stored
  const detail = `must be the identifier of a ${shown.declared.noun} that exists`
  throw invalidBody([{ pointer: '/id', detail }])
}

async function made(
  request: OperationRequest,
  shown: Compiled,
  body: JsonObject,
  transaction: Transaction,
  writer: Writer,
  engine: Engine,
): Promise<Stored> {
  checkMay(request, shown, 'write')
  const input = readInput(shown, body)
  const id = engine.newId(shown.declared.noun)
  const wanted = { id, method: 'POST', stored: null, body, input } as const
  const own = { ...request, compiled: shown, parent: null }
  const { stored } = await write(own, wanted, transaction, writer, engine)
  return stored
}

/** Stores the membership. It refers to the member, so that deleting the member deletes it too. */
async function enter(
  request: OperationRequest,
  id: string,
  writer: Writer,
  engine: Engine,
): Promise<void> {
  const { declared, references } = request.compiled
  const key = { id, parent: parentOf(request) }
  if ((await writer.find(declared, key)) !== null) return
  const now = timestamp(engine.clock.now())
  const named = Object.fromEntries(references.map(({ path }) => [path[0] ?? '', id]))
  await writer.save(declared, key, { id, ...named, createdAt: now, updatedAt: now }, null)
}
