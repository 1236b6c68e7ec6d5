import type { Fields } from '../../core/declaration/field.ts'
import { common, type Compiled } from '../../engine/compiled.ts'
import {
  refer,
  type OpenApiOperation,
  type OpenApiParameter,
  type PathItem,
  type Schema,
} from '../document.ts'
import type { CollectionExamples } from '../schemas/examples.ts'
import { fieldSchema } from '../schemas/field-schema.ts'
import { everywhere, json } from './collection-operations.ts'
import { refusals } from './problem-responses.ts'
import { headers } from './shared-headers.ts'

/** Contents of notifications, and the parameters that select them. */
export interface NotificationOptions {
  /** The qualified name of the collection that records are about. */
  readonly collection: string
  /** The instance fields of a record, in order. */
  readonly fields: readonly string[]
  /** The fields of an alert, in their order. */
  readonly alertFields: Fields
  readonly types: readonly string[]
  /** The types that come unasked. */
  readonly typesDefault: readonly string[]
  readonly statuses: readonly string[]
  /** The statuses that come unasked. */
  readonly statusesDefault: readonly string[]
}

/** The most records in one POST to a receiver. */
const batchMax = 1000

/** The group of the notification operations. */
export const notificationTag = 'notifications'

/** The schema of a notification record: fields of a message, and nothing else. */
export function notificationSchema(
  { declared }: Compiled,
  { fields }: NotificationOptions,
  { instance }: CollectionExamples,
): Schema {
  const properties = fields.flatMap((name): [string, Schema][] => {
    const field = Object.hasOwn(common, name) ? common[name] : declared.fields[name]
    if (field === undefined) return []
    const { readOnly: _, ...schema } = fieldSchema(field, 'served')
    return [[name, schema]]
  })
  const example = Object.fromEntries(fields.map((name) => [name, instance?.[name] ?? null]))
  return {
    type: 'object',
    description: 'The notification about a message: its state at that moment.',
    properties: Object.fromEntries(properties),
    required: fields,
    ...(instance === null ? {} : { examples: [example] }),
  }
}

/** Builds the schema of an alert, the notification about a webhook. */
export function alertSchema(fields: Fields): Schema {
  const properties = Object.entries(fields).map(([name, field]): [string, Schema] => [
    name,
    fieldSchema(field, 'served', true),
  ])
  return {
    type: 'object',
    description: 'The notification about a webhook, for webhooks whose `types` ask for it.',
    properties: Object.fromEntries(properties),
    required: Object.keys(fields),
    examples: [alertExample],
  }
}

const alertExample = {
  id: 'alert_01kg9ys7g0ex5vsknk084sn02q',
  type: 'WEBHOOK_DISABLED',
  webhook: { id: 'shop', name: 'Shop' },
  state: 'DISABLED',
  stateReason: 'The receiver answered 410: it is gone for good.',
  lag: 12,
  date: '2026-01-31T12:00:00.000Z',
}

/** Describes GET /v1/notifications, for clients without a webhook. */
export function notificationPath(options: NotificationOptions): PathItem {
  const get: OpenApiOperation = {
    operationId: 'listNotifications',
    tags: [notificationTag],
    summary: 'List notifications',
    description:
      'The records that webhooks get, the oldest first. With `Accept: text/event-stream` the ' +
      'response is a live stream with one record per event, from now on or after ' +
      '`Last-Event-ID`.\n\nRequires the scope `notifications:read`.',
    parameters: [
      names('types', 'Only records of these types.', options.types, options.typesDefault),
      names(
        'statuses',
        'Of `SENT` messages only records of these statuses.',
        options.statuses,
        options.statusesDefault,
      ),
      refer('parameters', 'PageSize'),
      {
        ...after,
        description: 'A cursor in the log from `Link: rel="next"` or `id`; `0` for the beginning.',
      },
      refer('parameters', 'LastEventId'),
    ],
    responses: {
      200: {
        description: 'One page, or a stream without an end.',
        headers: headers('Link'),
        content: {
          ...json(records()),
          'text/event-stream': {
            schema: {
              type: 'string',
              description:
                'Events (WHATWG HTML section 9.2): `id`, its cursor; `data`, the record.',
            },
          },
        },
      },
      ...refusals(everywhere),
    },
  }
  return { get }
}

/** The POST that a receiver gets. */
export function notificationWebhook(): PathItem {
  return received(
    'receiveNotifications',
    'Receive notifications',
    'What the service POSTs to the `url` of a webhook, signed after Standard Webhooks. Any 2xx ' +
      'acknowledges the whole array. Anything else is tried again, in the same order and under the ' +
      'same `webhook-id`, for three days; 410 disables the webhook. A redirect is not followed.',
    records(),
  )
}

/** The POST that the receiver of a webhook that asks for alerts gets. */
export function alertWebhook(): PathItem {
  return received(
    'receiveAlerts',
    'Receive alerts',
    'What a webhook is sent whose `types` ask for `WEBHOOK_DISABLED` or `WEBHOOK_RECOVERED`: it gets ' +
      'alerts about the other webhooks of its account, never about itself. One that asks for messages as well ' +
      'gets both kinds in one array.',
    { type: 'array', items: refer('schemas', 'Alert') },
  )
}

function received(
  operationId: string,
  summary: string,
  description: string,
  body: Schema,
): PathItem {
  const post: OpenApiOperation = {
    operationId,
    tags: [notificationTag],
    summary,
    description,
    security: [],
    parameters: [
      signature('webhook-id', 'The identifier of the batch, the same on every attempt.'),
      signature('webhook-timestamp', 'When it was sent, in seconds since 1970.'),
      signature(
        'webhook-signature',
        'What signs `<webhook-id>.<webhook-timestamp>.<body>`, in base64: HMAC-SHA256 after `v1,`, ' +
          'ed25519 after `v1a,`. Several are separated by spaces.',
      ),
    ],
    requestBody: {
      required: true,
      content: json({ ...body, minItems: 1, maxItems: batchMax }),
    },
    responses: {
      '2XX': { description: 'All records are taken.' },
      410: { description: 'The receiver is gone for good: the webhook is disabled.' },
      default: { description: 'Not taken: the batch comes again.' },
    },
  }
  return { post }
}

const after = { name: 'after', in: 'query', schema: { type: 'string' } } as const

function records(): Schema {
  const items = { anyOf: [refer('schemas', 'Notification'), refer('schemas', 'Alert')] }
  return { type: 'array', items }
}

function names(
  name: string,
  description: string,
  all: readonly string[],
  unasked: readonly string[],
): OpenApiParameter {
  return {
    name,
    in: 'query',
    description: `${description} Repeated or separated by commas. Default: ${unasked.join(', ')}.`,
    explode: false,
    schema: { type: 'array', items: { type: 'string', enum: all } },
  }
}

function signature(name: string, description: string): OpenApiParameter {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } }
}
