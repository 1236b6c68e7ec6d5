import { NuncioProblem } from '@nuncio/client'
import { client } from '../../api/client.ts'
import { explain } from '../../api/problem.ts'
import type { LineFault, Recipient } from './read-recipients.ts'

/** A stored contact that has the number of a line. */
interface KnownContact {
  readonly id: string
  readonly tags: readonly string[]
}

/** The stored contacts by number. */
export type KnownContacts = ReadonlyMap<string, KnownContact>

/** Where contacts are stored, and what happens to those that exist. */
export interface StoreRequest {
  readonly known: KnownContacts
  readonly existing: 'UPDATE' | 'KEEP'
  /** The group that they join; null for none. */
  readonly group: string | null
  readonly signal?: AbortSignal
  readonly onProgress: (done: number) => void
}

/** What became of the lines of a list. */
export interface StoreResult {
  readonly created: number
  readonly updated: number
  readonly kept: number
  readonly refused: readonly LineFault[]
}

/** Numbers in one request: their query stays short enough for an address. */
const numbersMax = 200
/** The largest page: contacts can share a number. */
const pageSize = 1000
/** Requests at the same time: a browser opens six connections to a host. */
const requestsMax = 5

/** Finds the contacts that have one of these numbers; of several with the same, the oldest. */
export async function findContacts(
  addresses: readonly string[],
  signal?: AbortSignal,
): Promise<KnownContacts> {
  const known = new Map<string, KnownContact>()
  for (let begin = 0; begin < addresses.length; begin += numbersMax) {
    const where = { address: addresses.slice(begin, begin + numbersMax) }
    const { items } = await client.contacts.list(
      { where, fields: ['id', 'address', 'tags'], pageSize },
      signal === undefined ? {} : { signal },
    )
    for (const { id, address, tags } of items) {
      if (!known.has(address)) known.set(address, { id, tags })
    }
  }
  return known
}

/** Stores the lines of a list as contacts. A line that the service refuses does not stop the others. */
export async function storeContacts(
  recipients: readonly Recipient[],
  request: StoreRequest,
): Promise<StoreResult> {
  const counts = { created: 0, updated: 0, kept: 0 }
  const refused: LineFault[] = []
  const open = recipients.values()
  let done = 0
  const work = async (): Promise<void> => {
    for (const recipient of open) {
      if (request.signal?.aborted === true) return
      try {
        counts[await storeContact(recipient, request)] += 1
      } catch (error) {
        refused.push(faultOf(recipient, error))
      }
      done += 1
      request.onProgress(done)
    }
  }
  await Promise.all(Array.from({ length: requestsMax }, work))
  return { ...counts, refused: refused.toSorted((one, other) => one.line - other.line) }
}

async function storeContact(
  { address, name, tags, attributes }: Recipient,
  { known, existing, group }: StoreRequest,
): Promise<'created' | 'updated' | 'kept'> {
  const members = group === null ? client.contacts : client.groups.at(group).contacts
  const found = known.get(address)
  if (found === undefined) {
    await members.create({ address, name, tags, attributes })
    return 'created'
  }
  if (existing === 'UPDATE') {
    const all = [...new Set([...found.tags, ...tags])]
    // An empty cell says nothing about the contact: it keeps its value.
    await client.contacts.patch(found.id, {
      attributes,
      ...(name === null ? {} : { name }),
      ...(tags.length === 0 ? {} : { tags: all }),
    })
  }
  if (group !== null) await client.groups.at(group).contacts.create({ id: found.id })
  return existing === 'UPDATE' ? 'updated' : 'kept'
}

/** Only a fault of the line itself lets the others continue. */
function faultOf({ line, address }: Recipient, error: unknown): LineFault {
  if (!(error instanceof NuncioProblem) || ![400, 409, 422].includes(error.status)) throw error
  const { detail, faults } = explain(error)
  const [[pointer, fault] = ['', detail]] = faults
  return { line, text: address, fault: `${pointer.slice(1)} ${fault}`.trim() }
}
