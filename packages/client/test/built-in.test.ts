import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { accounts } from '../../../src/collections/accounts.ts'
import { broadcastMessages, broadcasts } from '../../../src/collections/broadcasts.ts'
import { carriers } from '../../../src/collections/carriers.ts'
import { contacts } from '../../../src/collections/contacts.ts'
import { conversations } from '../../../src/collections/derived/conversations.ts'
import { creditMovements, credits } from '../../../src/collections/credits/credit-movements.ts'
import { deliveries } from '../../../src/collections/deliveries.ts'
import { groupContacts, groups } from '../../../src/collections/groups.ts'
import { keys } from '../../../src/collections/keys.ts'
import { auditEvents } from '../../../src/collections/audit-events.ts'
import { maintenanceWindows } from '../../../src/collections/maintenance-windows.ts'
import { messages } from '../../../src/collections/messages.ts'
import { numbers } from '../../../src/collections/numbers.ts'
import { optOuts } from '../../../src/collections/opt-outs.ts'
import { replays } from '../../../src/collections/replays.ts'
import { prices } from '../../../src/collections/credits/prices.ts'
import { sessions } from '../../../src/collections/sessions/sessions.ts'
import { statistics } from '../../../src/collections/derived/statistics.ts'
import { webhooks } from '../../../src/collections/webhooks.ts'
import {
  isServed,
  qualifiedName,
  type Collection,
} from '../../../src/core/declaration/collection.ts'
import type { BuiltIn } from '../src/declarations/built-in.ts'
import type { Offered } from '../src/declarations/declared.ts'
import { prove, type Equal } from './support/prove.ts'

/** The declarations under the names that the client's types give them. */
const typed = {
  accounts,
  'accounts/creditMovements': creditMovements,
  broadcasts,
  'broadcasts/messages': broadcastMessages,
  carriers,
  contacts,
  conversations,
  credits,
  groups,
  'groups/contacts': groupContacts,
  keys,
  auditEvents,
  maintenanceWindows,
  messages,
  numbers,
  optOuts,
  prices,
  sessions,
  statistics,
  webhooks,
  'webhooks/deliveries': deliveries,
  'webhooks/replays': replays,
}

describe('the built-in collections', () => {
  it('have their declared fields in the types, under their declared paths', () => {
    const names = Object.values(typed).map(qualifiedName)

    assert.deepEqual(names, Object.keys(typed))
    prove<Equal<keyof typeof typed, keyof BuiltIn>>(true)
    prove<Equal<FieldsOf<OwnFields<typeof typed>>, FieldsOf<OwnFields<BuiltIn>>>>(true)
  })

  it('offer in the types the methods that they declare', () => {
    prove<Equal<Offered<BuiltIn['webhooks/deliveries'], 'collection'>, 'GET' | 'POST'>>(true)
    prove<Equal<Offered<BuiltIn['webhooks/deliveries'], 'instance'>, 'GET'>>(true)
    prove<Equal<Offered<BuiltIn['webhooks/replays'], 'instance'>, 'GET' | 'PATCH'>>(true)

    assert.deepEqual(deliveries.methods, { collection: ['GET', 'POST'], instance: ['GET'] })
    for (const { methods } of [accounts, contacts, keys, messages, webhooks]) {
      assert.deepEqual(methods, {
        collection: ['GET', 'POST'],
        instance: ['GET', 'PUT', 'PATCH', 'DELETE'],
      })
    }
  })

  it('are all in the types: one that is added needs a line in built-in.ts', async () => {
    const folder = new URL('../../../src/collections/', import.meta.url)
    const files = (await readdir(folder, { recursive: true })).filter((file) =>
      file.endsWith('.ts'),
    )
    const modules = await Promise.all(files.map((file) => import(new URL(file, folder).href)))

    const declared = modules
      .flatMap((exported) => Object.values<unknown>(exported))
      .filter(isCollection)
      .filter(isServed)

    assert.deepEqual(declared.map(qualifiedName).toSorted(), Object.keys(typed).toSorted())
  })
})

/** All but members: their fields are those of another collection. */
type OwnFields<A> = Omit<A, 'broadcasts/messages' | 'credits' | 'groups/contacts'>

type FieldsOf<A extends { readonly [K in keyof A]: { readonly fields: unknown } }> = {
  readonly [K in keyof A]: A[K]['fields']
}

function isCollection(exported: unknown): exported is Collection {
  return typeof exported === 'object' && exported !== null && 'noun' in exported
}
