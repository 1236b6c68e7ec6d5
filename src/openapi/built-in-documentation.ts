import { text } from '../core/declaration/field.ts'
import type { OpenApiOptions } from './open-api.ts'

const keySecret =
  'nuncio_key_01kg9ys7g0ex5vsknk084sn02q_yVLgsHMWWXYm5UtQG2eZ0pVYvJr7kSe0dT3nqDXqB8c'
const signingSecret = 'whsec_bnVuY2lvLWV4YW1wbGUtc2VjcmV0LTAwMDE='
const at = '2026-01-31T12:00:00.000Z'

/** What the document says of the collections that every installation has, beside their declarations. */
export const builtInDocumentation: Pick<OpenApiOptions, 'reveals' | 'remarks' | 'examples'> = {
  reveals: {
    keys: {
      secret: text({
        default: keySecret,
        description:
          'The whole bearer token, in the answer that made the key and never again. ' +
          'A repetition under an `Idempotency-Key` is without it.',
      }),
    },
    webhooks: {
      secret: text({
        default: signingSecret,
        description:
          'The signing secret, in the answer that made it and never again. ' +
          'A repetition under an `Idempotency-Key` is without it.',
      }),
    },
  },
  remarks: {
    messages: {
      POST: 'The message is accepted once this is answered: it goes out even if the process ends now.',
      PUT: 'Repeated, the message is sent once. Another body for one that was handed over is answered 409.',
      PATCH:
        '`{"status":{"type":"CANCELLED"}}` cancels a message that is not handed over yet and keeps its ' +
        'record; it is the only status that a client sets. Any change of one handed over is answered 409.',
      DELETE: 'Erases the record in any state. What was not handed over is never sent after this.',
    },
    broadcasts: {
      POST:
        'Its messages are made after this is answered, a slice at a time. ' +
        '`Prefer: handling=dry-run` tells how many there will be, and what they cost.',
      PUT: 'Repeated, it is made once. One that has begun is answered 409, unless only its name is another.',
      PATCH:
        '`{"state":"PAUSED"}` makes no more messages until `{"state":"RUNNING"}`; `{"state":"CANCELLED"}` ' +
        'makes none, and cancels those that wait. Any other change of one that has begun is answered 409.',
      DELETE: 'Ends it: no more messages are made. Those that were made stay, and go their way.',
    },
    'broadcasts/messages': {
      GET: 'Takes `messages:read`, too.',
    },
    'groups/contacts': {
      POST:
        '`{"id": "…"}` adds a contact that exists; the fields of a contact make one and add it. ' +
        'Takes `contacts:read` or `contacts:write`, too.',
      DELETE: 'Ends the membership. The contact stays.',
    },
    webhooks: {
      PATCH:
        'A new `secret` leaves the one before valid for 24 hours; null makes one and shows it. ' +
        'So does `publicKey` with null, for the pair that signs `v1a`. ' +
        '`active: true` goes on where a disabled webhook stopped.',
    },
    'webhooks/deliveries': {
      POST:
        'Tests the receiver: sends it a sample at once and answers with what it said. ' +
        'Answered 409 while another test of the webhook waits for its answer. It cannot be tried without ' +
        'sending: `Prefer: handling=dry-run` is answered 400.',
    },
    'webhooks/replays': {
      POST:
        'Sends again what the filter selects of the log, up to where the webhook is in it. ' +
        'What lies behind is delivered as it happens. Answered 409 while ten wait for their end.',
      PATCH:
        '`{"state":"CANCELLED"}` ends a replay; it is the only change that there is. ' +
        'Answered 409 for one that has ended.',
    },
    optOuts: {
      POST: 'There is one for an address and a sender: a second is answered 409.',
      DELETE: 'Messages go out to the address again. Those that were blocked stay so.',
    },
    numbers: {
      PUT: 'A number stays with its account: another one is answered 409.',
      DELETE:
        'The address is nobody’s from now on. What was sent from it and what arrived at it stays.',
    },
    prices: {
      POST: 'There is one for an account and a prefix: a second is answered 409.',
    },
    carriers: {
      POST: 'The carrier opens at once, on every node. Unknown and missing settings are named in the answer.',
      PUT: 'A changed carrier finishes what is in flight, then opens with the new settings. Its type stays.',
      DELETE:
        'Finishes what is in flight and closes. Refused with 409 for the simulator, and while a number names it.',
    },
    keys: {
      POST: 'A key makes keys of its own account with no wider scopes. The secret is in this answer alone.',
      DELETE: 'The key stops at once.',
    },
    maintenanceWindows: {
      DELETE: 'Ends the maintenance at once.',
    },
    'accounts/creditMovements': {
      POST:
        'Tops the account up, or withdraws where `amount` is negative. Answered 403 where fewer are left, ' +
        '409 where the credits of the account are not counted. Repeat it under an `Idempotency-Key`.',
    },
    accounts: {
      PUT: 'A `creditBalance` that there is stays, whatever number is given: movements alone move it.',
      PATCH: 'Another `creditBalance` than there is is answered 409, and null ends it.',
      DELETE:
        'Erases all that belongs to the account. Refused with 409 while the account is active.',
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
        estimate: { recipients: 1, messages: 1, parts: 1, creditCost: 1, exact: true },
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
