import { text } from '../core/declaration/field.ts'
import type { OpenApiOptions } from './open-api.ts'

const keySecret =
  'nuncio_key_01kg9ys7g0ex5vsknk084sn02q_yVLgsHMWWXYm5UtQG2eZ0pVYvJr7kSe0dT3nqDXqB8c'
const signingSecret = 'whsec_bnVuY2lvLWV4YW1wbGUtc2VjcmV0LTAwMDE='
const at = '2026-01-31T12:00:00.000Z'

/** Documentation of the built-in collections that their declarations do not contain. */
export const builtInDocumentation: Pick<OpenApiOptions, 'reveals' | 'remarks' | 'examples'> = {
  reveals: {
    keys: {
      secret: text({
        default: keySecret,
        description:
          'The whole bearer token, only in the response that created the key. ' +
          'A retry under an `Idempotency-Key` lacks it.',
      }),
    },
    webhooks: {
      secret: text({
        default: signingSecret,
        description:
          'The signing secret, only in the response that created it. ' +
          'A retry under an `Idempotency-Key` lacks it.',
      }),
    },
  },
  remarks: {
    messages: {
      POST: 'The response means that the message is stored: the service sends it even after a crash.',
      PUT: 'A retry sends no second message. Another body for a submitted message gets 409.',
      PATCH:
        '`{"status":{"type":"CANCELLED"}}` cancels a message that is not submitted yet and keeps its ' +
        'record; it is the only status that a client sets. Any change of a submitted message gets 409.',
      DELETE: 'Erases the record in any state. The service never sends an erased message.',
    },
    broadcasts: {
      POST:
        'The service creates its messages after the response, in slices. ' +
        '`Prefer: handling=dry-run` returns their number and cost.',
      PUT: 'A retry creates no second broadcast. A started one gets 409, unless only its name changes.',
      PATCH:
        '`{"state":"PAUSED"}` pauses until `{"state":"RUNNING"}`; `{"state":"CANCELLED"}` ' +
        'ends it and cancels its waiting messages. Any other change of a started broadcast gets 409.',
      DELETE: 'Ends it without further messages. The service still sends those created.',
    },
    'broadcasts/messages': {
      GET: 'Also requires `messages:read`.',
    },
    'groups/contacts': {
      POST:
        '`{"id": "…"}` adds a contact that exists; the fields of a contact create one and add it. ' +
        'Also requires `contacts:read` or `contacts:write`.',
      DELETE: 'Ends the membership. The contact stays.',
    },
    webhooks: {
      PATCH:
        'A new `secret` leaves the previous one valid for 24 hours; null generates one and returns it. ' +
        'So does `publicKey` with null, for the pair that signs `v1a`. ' +
        '`active: true` resumes a disabled webhook at its position.',
    },
    'webhooks/deliveries': {
      POST:
        'Tests the receiver: sends a sample immediately and returns its response. ' +
        'Gets 409 during another test of the webhook. There is no dry run: ' +
        '`Prefer: handling=dry-run` gets 400.',
    },
    'webhooks/replays': {
      POST:
        'Resends the records that the filter selects, up to the position of the webhook. ' +
        'Later records are delivered as usual. Gets 409 while ten replays are unfinished.',
      PATCH:
        '`{"state":"CANCELLED"}` ends a replay; no other change is possible. ' +
        'An ended replay gets 409.',
    },
    optOuts: {
      POST: 'Address and sender are unique together: a second opt-out gets 409.',
      DELETE: 'Allows messages to the address again. Blocked messages stay blocked.',
    },
    numbers: {
      PUT: 'A number cannot change account: another one gets 409.',
      DELETE: 'The address has no owner afterwards. Its messages stay stored.',
    },
    prices: {
      POST: 'Account and prefix are unique together: a second price gets 409.',
    },
    carriers: {
      POST: 'Every node opens the carrier immediately. Problems name unknown and missing settings.',
      PUT: 'A changed carrier finishes submits in flight, then opens with the new settings. Its type cannot change.',
      DELETE:
        'Finishes submits in flight and closes. Gets 409 for the simulator, and while a number names it.',
    },
    keys: {
      POST: 'A key creates keys of the same account, without wider scopes. Only this response contains the secret.',
      DELETE: 'The key stops working immediately.',
    },
    sessions: {
      POST:
        'Signs a browser in: sets a cookie that replaces a key. Any valid key may do it, with an empty ' +
        'body; without a key the body has a `code`. With the cookie, a request that changes something ' +
        'must come from a page of this service.',
      GET: '`current` names the session of the request, and takes no scope.',
      DELETE: 'Signs out. `current` names the session of the request, and takes no scope.',
    },
    maintenanceWindows: {
      DELETE: 'Ends the maintenance immediately.',
    },
    'accounts/creditMovements': {
      POST:
        'Tops the account up, or withdraws if `amount` is negative. Gets 403 if too few are left, ' +
        '409 if the account has no credit balance. Retry under an `Idempotency-Key`.',
    },
    accounts: {
      PUT: 'Ignores a number for an existing `creditBalance`: only movements change it.',
      PATCH: 'A `creditBalance` other than the current one gets 409; null removes it.',
      DELETE: 'Erases all data of the account. Gets 409 while the account is active.',
    },
  },
  examples: {
    messages: {
      input: ['from', 'userSuppliedId'],
      instance: {
        type: 'SENT',
        from: '+447700900456',
        to: '+447700900123',
        body: 'Your parcel arrives today at 14:00.',
        encoding: 'TEXT',
        creditCost: 1,
        submission: { id: 'submission_01kg9ys7g0ex5vsknk084sn02r', date: at },
        status: { id: 'DELIVERED.null', type: 'DELIVERED' },
        userSuppliedId: 'order-17',
        scheduledAt: null,
        validUntil: null,
        carrier: 'carrier_simulator',
        history: [
          { status: 'ACCEPTED.null', date: at },
          { status: 'SENT.null', date: '2026-01-31T12:00:00.120Z' },
          { status: 'DELIVERED.null', date: '2026-01-31T12:00:02.480Z' },
        ],
        updatedAt: '2026-01-31T12:00:02.480Z',
      },
    },
    contacts: {
      input: ['name', 'tags', 'attributes'],
      instance: {
        address: '+447700900123',
        tags: ['customer'],
        attributes: { language: 'en' },
      },
    },
    broadcasts: {
      input: ['name', 'scheduledAt'],
      instance: {
        name: 'Opening',
        from: null,
        to: { addresses: ['+447700900123'], contacts: [], group: null },
        body: 'Dear {{name|customer}}, our shop opens today at 10:00.',
        encoding: null,
        userSuppliedId: null,
        scheduledAt: null,
        validUntil: null,
        carrier: null,
        state: 'DONE',
        stateReason: null,
        startedAt: at,
        endedAt: at,
        estimate: { recipients: 1, messages: 1, parts: 1, creditCost: 1, exact: true, skipped: [] },
        recipients: {
          seen: 1,
          messages: 1,
          duplicate: 0,
          optedOut: 0,
          missingValue: 0,
          tooLong: 0,
          unencodable: 0,
          contactGone: 0,
        },
        creditCost: 1,
        messageCounts: {
          scheduled: 0,
          accepted: 0,
          sent: 0,
          delivered: 1,
          failed: 0,
          unknown: 0,
          cancelled: 0,
        },
      },
    },
    webhooks: {
      input: ['name'],
      instance: { name: 'Shop', url: 'https://example.com/nuncio', lag: 0, lastSuccessAt: at },
    },
    'webhooks/deliveries': {
      input: [],
      instance: {
        batchId: 'batch_01kg9ys7g0ex5vsknk084sn02s',
        durationMs: 84,
        statusCode: 204,
        response: '',
        messageIds: ['message_01kg9ys7g0ex5vsknk084sn02q'],
      },
    },
    'webhooks/replays': {
      input: ['until'],
      instance: {
        from: at,
        until: '2026-01-31T18:00:00.000Z',
        types: ['RECEIVED', 'SENT'],
        messageIds: null,
        state: 'COMPLETED',
        sent: 1200,
        setAside: 0,
        reached: '2026-01-31T17:59:58.120Z',
        endedAt: '2026-02-01T09:00:04.310Z',
      },
    },
    optOuts: {
      input: ['sender'],
      instance: { address: '+447700900123', sender: '+447700900456', reason: 'KEYWORD' },
    },
    numbers: {
      input: ['account'],
      instance: {
        address: '+447700900456',
        account: 'account_default',
        carrier: 'carrier_simulator',
      },
    },
    prices: {
      input: ['prefix', 'creditsPerPart'],
      instance: { prefix: '+49', account: null, creditsPerPart: 0.075 },
    },
    carriers: {
      input: ['name', 'routes'],
      instance: {
        name: 'Simulator',
        type: 'SIMULATOR',
        routes: [{ prefix: '+999', weight: 1, priority: 0 }],
        settings: { delayMs: 1000 },
        stateReason: null,
        inFlight: 0,
        partsPerSecond: 0,
        lastError: null,
      },
    },
    keys: {
      input: ['name'],
      instance: {
        name: 'Shop',
        scopes: ['messages:write', 'messages:read'],
        account: 'account_default',
        expiresAt: null,
      },
    },
    accounts: { input: [], instance: { name: 'Shop', creditBalance: 97.5 } },
    'accounts/creditMovements': {
      input: ['note'],
      instance: {
        amount: 100,
        kind: 'TOP_UP',
        messageId: null,
        balance: 100,
        note: 'Invoice 2026-17',
      },
    },
    maintenanceWindows: {
      input: ['reason', 'endsAt'],
      instance: { reason: 'A new disk.', startsAt: null, endsAt: '2026-01-31T12:30:00.000Z' },
    },
  },
}
