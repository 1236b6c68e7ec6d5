import { defaultAccount, type AccountId } from '../../../src/core/account.ts'
import type { Clock } from '../../../src/core/ports/clock.ts'
import type { NewId } from '../../../src/core/id.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { messages, type Message } from '../../../src/collections/messages.ts'
import { catalogue } from '../../../src/engine/catalogue.ts'
import type { Engine, EngineOperation } from '../../../src/engine/operation.ts'
import { create } from '../../../src/engine/operations/create.ts'
import { patch } from '../../../src/engine/operations/patch.ts'
import { put } from '../../../src/engine/operations/put.ts'
import { remove } from '../../../src/engine/operations/remove.ts'
import { asMessage } from '../../../src/gateway/messages/stored-message.ts'
import { messageRules } from '../../../src/gateway/messages/message-rules.ts'
import { contentDefaults } from './content-defaults.ts'

/** Who asks. */
export interface As {
  readonly account?: AccountId
  readonly administrator?: boolean
}

/** What a client can do to messages. */
export interface Requests {
  post(body: JsonObject, as?: As): Promise<Message>
  put(id: string, body: JsonObject, as?: As): Promise<Message>
  patch(id: string, body: JsonObject, as?: As): Promise<Message>
  remove(id: string, as?: As): Promise<void>
}

const collections = catalogue([messages])

/** What requests are made to. */
export interface Asked {
  readonly store: Store
  readonly clock: Clock
  readonly newId: NewId
}

/** Makes requests to a store, by way of the engine. */
export function requests(given: Asked): Requests {
  const rules = { messages: messageRules(contentDefaults) }
  const engine = { ...given, catalogue: collections, rules }

  return {
    post: (body, as) => ask(create, engine, '', body, as),
    put: (id, body, as) => ask(put, engine, id, body, as),
    patch: (id, body, as) => ask(patch, engine, id, body, as),
    remove: async (id, as) => void (await ask(remove, engine, id, {}, as)),
  }
}

async function ask(
  operation: EngineOperation,
  engine: Engine,
  id: string,
  body: JsonObject,
  { account = defaultAccount, administrator = false }: As = {},
): Promise<Message> {
  const compiled = collections.find('messages')
  if (compiled === null) throw new Error('there are no messages')
  const request = {
    compiled,
    parent: null,
    id,
    principal: { account, keyId: 'key_1', scopes: ['*'], administrator },
    conditions: { ifMatch: undefined, ifNoneMatch: undefined },
    parameters: [],
    asSent: [],
    unknownFields: [],
    version: 'v1',
    path: '/v1/messages',
    body: () => body,
    countExactly: false,
    idempotency: null,
  }
  const answer = await operation(request, engine)
  return asMessage(JSON.parse(answer.body ?? '{}'))
}
