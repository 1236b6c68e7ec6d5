import type { JsonObject, JsonValue } from '../../../src/core/json.ts'
import type { PlainRequest } from '../../../src/http/server/request.ts'
import type { Dice } from './dice.ts'
import { nastyBytes, nastyJson, nastySegments, nastyTexts, nastyValues } from './nasty.ts'

/** The carrier that providers call back in the fuzz test. */
const path = '/v1/carriers/calledBack'

/** A carrier over HTTP with callbacks for receipts and messages. */
const carrier: JsonObject = {
  type: 'HTTP',
  settings: {
    request: { url: 'https://provider.example/', json: {} },
    secrets: { token: 'fuzz-token' },
    callbackAuthentication: { query: { name: 'token', value: '{{secret.token}}' } },
    callbacks: [
      {
        name: 'receipts',
        receipt: { id: '/id', status: '/status', statuses: { done: 'DELIVERED', '': 'EXPIRED' } },
      },
      {
        name: 'messages',
        events: '/items/*',
        message: { id: '/id', from: '/from', to: '/to', body: '/body', digits: true },
      },
    ],
  },
}

/** Makes the carrier. */
export function callbackFoundation(adminKey: string): PlainRequest {
  const headers = {
    host: 'localhost',
    authorization: `Bearer ${adminKey}`,
    'content-type': 'application/json',
  }
  return { method: 'PUT', target: path, headers, body: Buffer.from(JSON.stringify(carrier)) }
}

const types = [
  'application/json',
  'application/json',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=latin-1',
  'application/vnd.api+json',
  'text/plain',
  '',
]

/** A callback with something wrong, or with nothing wrong but its values. */
export function malformedCallback(dice: Dice): PlainRequest {
  const name = dice.once(8) ? dice.pick(nastySegments) : dice.pick(['receipts', 'messages'])
  const token = dice.once(8) ? encodeURIComponent(dice.pick(nastyTexts)) : 'fuzz-token'
  const of = dice.once(10) ? `/v1/carriers/${dice.pick(nastySegments)}` : path
  const headers = { host: 'localhost', 'content-type': dice.pick(types) }
  const target = `${of}/callbacks/${name}?token=${token}`
  return { method: 'POST', target, headers, body: bodyOf(dice) }
}

function bodyOf(dice: Dice): Uint8Array {
  if (dice.once(10)) return dice.pick(nastyBytes)
  if (dice.once(6)) return Buffer.from(dice.pick(nastyJson))
  const event = eventOf(dice)
  if (dice.once(3)) {
    const pairs = Object.entries(event).map(([name, value]): [string, string] => [
      name,
      String(value),
    ])
    return Buffer.from(new URLSearchParams(pairs).toString())
  }
  const items = dice.some(3, () => (dice.once(5) ? dice.pick(nastyValues) : eventOf(dice)))
  return Buffer.from(JSON.stringify(dice.once(2) ? event : { items }))
}

function eventOf(dice: Dice): JsonObject {
  const value = (sound: JsonValue): JsonValue =>
    dice.pick([sound, sound, dice.pick(nastyTexts), dice.pick(nastyValues)])
  return {
    id: value('p-1'),
    status: value('done'),
    from: value('4915112345678'),
    to: value('12345'),
    body: value('hello'),
  }
}
