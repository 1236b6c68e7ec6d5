import { type AccountId, defaultAccount } from '../../core/account.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import type { Principal } from '../../core/declaration/rules.ts'
import type { NewId } from '../../core/id.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Store } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { actorOf } from '../../engine/audit.ts'
import type { NoteRefusal } from '../server/handle.ts'
import type { RequestHead } from '../server/request.ts'
import type { ClientAddress } from './client-address.ts'

/** The refusals of a node. Disposing writes those that were noted. */
export interface Refusals extends AsyncDisposable {
  readonly note: NoteRefusal
}

/** Time between two batches, in milliseconds. */
const batchEveryMs = 1000

/** Refusals of one batch: those beyond are only counted in the log, so that no client fills the store. */
const batchMax = 100

/** Maximum length of a stored path, in characters. */
const pathLengthMax = 500

interface Refusal {
  readonly request: RequestHead
  readonly requestId: string
  /** The request has a valid key, which may not do this. */
  readonly isKnown: boolean
  /** The person whom a provider named, and who got no session; null for others. */
  readonly person: string | null
  readonly clientAddress: string | null
  readonly date: string
}

/** Dependencies of the record of refusals. */
export interface RefusalParts {
  readonly store: Store
  readonly clock: Clock
  readonly newId: NewId
  readonly log: Log
  readonly addressOf: ClientAddress
  /** Returns the principal of a request; null if it has no valid key. */
  readonly principalOf: (request: RequestHead) => Promise<Principal | null>
}

/** Records refused requests as audit events, in batches. */
export function recordRefusals(events: Collection, parts: RefusalParts): Refusals {
  const { store, clock, newId, log } = parts
  let noted: Refusal[] = []
  let dropped = 0
  let cancel: (() => void) | null = null

  const write = async (): Promise<void> => {
    const [batch, lost] = [noted, dropped]
    noted = []
    dropped = 0
    cancel = null
    if (lost > 0) log('warn', 'refusals not recorded', { count: lost })
    try {
      const known = await Promise.all(
        batch.map(async (one) => {
          const principal =
            one.isKnown && one.person === null ? await parts.principalOf(one.request) : null
          return { ...one, principal }
        }),
      )
      await store.transact(async (transaction) => {
        for (const one of known) {
          const account = one.principal?.account ?? defaultAccount
          const event = eventOf(one, one.principal, account, newId(events.noun))
          await transaction.in(account).save(events, { id: String(event['id']) }, event, null)
        }
      })
    } catch (error) {
      log('warn', 'refusals not recorded', { count: batch.length, error })
    }
  }
  return {
    note: (request, requestId, status, person) => {
      cancel ??= clock.after(batchEveryMs, () => void write())
      if (noted.length >= batchMax) {
        dropped += 1
        return
      }
      const date = timestamp(clock.now())
      const clientAddress = parts.addressOf(request)
      const isKnown = status === 403
      noted.push({ request, requestId, isKnown, person: person ?? null, clientAddress, date })
    },
    [Symbol.asyncDispose]: async () => {
      cancel?.()
      if (noted.length > 0) await write()
    },
  }
}

function eventOf(
  { request, requestId, person, clientAddress, date }: Refusal,
  principal: Principal | null,
  account: AccountId,
  id: string,
): JsonObject {
  return {
    id,
    date,
    action: 'REFUSED',
    actor: principal === null ? stranger(person) : actorOf(principal),
    resource: (request.target.split('?', 1)[0] ?? '').slice(0, pathLengthMax),
    fields: [],
    clientAddress,
    requestId,
    account,
    createdAt: date,
    updatedAt: date,
  }
}

/** Returns who was refused without a key or a session; null if nobody says who it was. */
function stranger(person: string | null): JsonObject | null {
  return person === null ? null : { key: null, account: null, person }
}
