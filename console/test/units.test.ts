import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import type { CollectionDescription } from '../src/api/collection.ts'
import { defaultOf, describeFields } from '../src/api/field.ts'
import { permits } from '../src/api/session.ts'
import { failureText } from '../src/api/statuses.ts'
import { refusalIn } from '../src/api/sign-in-refusal.ts'
import { chosenIn, chosenValue } from '../src/collections/form/field-props.ts'
import {
  conditionText,
  parseCondition,
  suggestFilters,
} from '../src/collections/list/filter-text.ts'
import {
  formatParameters,
  listRequest,
  parseParameters,
  readListState,
  writeListState,
} from '../src/collections/list/list-state.ts'
import { notificationsOf, pendingText } from '../src/screens/messages/message-notifications.ts'
import { responseTimeText } from '../src/screens/carriers/response-time.ts'
import { simulatorRecipients } from '../src/screens/carriers/simulator-recipients.ts'
import { routesByPrefix, routesOf, type RoutedCarrier } from '../src/screens/carriers/routing.ts'
import { selectionOf } from '../src/screens/webhooks/replay-selection.ts'
import { binCounts } from '../src/screens/overview/bins.ts'
import { spanOf } from '../src/screens/overview/spans.ts'
import { backlogText, waitingNow } from '../src/screens/overview/backlog.ts'
import { problemsOf } from '../src/screens/overview/problems.ts'
import { searchKeys } from '../src/shell/search-keys.ts'
import { countText, durationText } from '../src/ui/numbers.ts'

describe('the state of a list', () => {
  it('survives the way through an address', () => {
    const state = {
      filters: [
        ['status.type', 'FAILED'],
        ['status.type', 'UNKNOWN'],
        ['createdAt_gte', '2026-01-31T12:00:00Z'],
        ['to', '+4915112345678'],
      ],
      sort: 'createdAt_asc',
      search: 'two words',
      columns: ['to', 'status.id'],
    } as const

    const address = formatParameters({ ...writeListState(state) })

    assert.deepEqual(readListState(parseParameters(address)), state)
  })

  it('asks the service for its conditions, and not for its columns', () => {
    const state = readListState({ to: ['1', '2'], sort: 'to_asc', _columns: 'to' })

    assert.deepEqual(listRequest(state), { where: { to: ['1', '2'] }, sort: ['to_asc'] })
  })
})

const collection: CollectionDescription = {
  path: 'messages',
  name: 'messages',
  parent: null,
  description: '',
  fields: describeFields(
    { info: { version: '1' }, paths: {}, components: { schemas: {} } },
    {
      properties: {
        to: { type: 'string' },
        state: { type: 'string', enum: ['ON', 'OFF'] },
        createdAt: { type: 'string', format: 'date-time' },
      },
    },
  ),
  inputs: [],
  filters: new Set(['to', 'to_like', 'state', 'state_ne', 'createdAt_gte']),
  sorts: new Set(),
  search: 'All fields.',
  scopes: {},
  reveals: false,
}

describe('a filter', () => {
  it('is read as a condition that the collection has', () => {
    assert.deepEqual(parseCondition('state != ON', collection), ['state_ne', 'ON'])
    assert.deepEqual(parseCondition('to~+49*', collection), ['to_like', '+49*'])
    assert.equal(parseCondition('to>1', collection), null)
    assert.equal(conditionText(['createdAt_gte', '2026']), 'Created ≥ 2026')
    assert.equal(conditionText(['createdAt_gt', '2026']), 'Created > 2026')
    assert.equal(conditionText(['createdAt_lt', '2026']), 'Created < 2026')
    assert.equal(conditionText(['to', '1']), 'To = 1')
  })

  it('is completed from the declaration', () => {
    const suggested = (text: string): readonly string[] =>
      suggestFilters(text, collection, 0).map(({ id }) => id)

    assert.deepEqual(suggested('sta'), ['search:sta', 'state'])
    assert.deepEqual(suggested('state'), ['state=', 'state!='])
    assert.deepEqual(suggested('state=o'), ['=state=ON', '=state=OFF'])
  })
})

it('a key may do what its scopes say', () => {
  assert.equal(permits(['admin'], 'carriers:write'), true)
  assert.equal(permits(['*:read'], 'messages:read'), true)
  assert.equal(permits(['*:read'], 'messages:write'), false)
  assert.equal(permits(['*'], 'admin'), false)
  assert.equal(permits(['*'], undefined), false)
})

it('a recipient goes to the carriers of its longest prefix, by weight and priority', () => {
  const carrier = (id: string, state: string, routes: RoutedCarrier['routes']): RoutedCarrier => ({
    id,
    name: id,
    active: true,
    state,
    routes,
  })
  const routes = routesByPrefix([
    carrier('north', 'BOUND', [{ prefix: '+49', weight: 3, priority: 0 }]),
    carrier('south', 'BOUND', [{ prefix: '+49', weight: 1, priority: 0 }]),
    carrier('down', 'DOWN', [{ prefix: '+49', weight: 9, priority: 0 }]),
    carrier('rest', 'BOUND', [{ prefix: '', weight: 1, priority: 0 }]),
  ])

  const shares = routesOf('+49 151', routes)?.shares.filter(({ isUsed }) => isUsed)

  assert.deepEqual(
    shares?.map(({ carrier: { id }, share }) => [id, share]),
    [
      ['north', 0.75],
      ['south', 0.25],
    ],
  )
  assert.equal(routesOf('+33 1', routes)?.prefix, '')
})

it('counts of the service become bars by time and status', () => {
  const nowMs = Date.parse('2026-11-23T08:00:30Z')
  const at = (minute: string, status: string, messages: number) => ({
    date: `2026-11-23T${minute}:00Z`,
    status,
    messages,
  })

  const bins = binCounts(
    [
      at('08:00', 'DELIVERED', 2),
      at('07:59', 'DELIVERED', 3),
      at('07:59', 'DELIVERED', 1),
      at('07:59', 'ACCEPTED', 120),
      at('07:00', 'FAILED', 9),
      at('07:59', 'RECEIVED', 5),
    ],
    spanOf('hour'),
    nowMs,
  )

  assert.equal(bins.times.at(-1), Date.parse('2026-11-23T08:00:00Z') / 1000)
  assert.deepEqual(bins.series[0]?.values.slice(-2), [4, 2])
  assert.equal(bins.series[1]?.total, 0)
  assert.equal(bins.acceptedPerSecond, 2)
  assert.equal(bins.onTheWay, 114)
})

it('a webhook is shown with the statuses it wants, and its attempts by batch', () => {
  const at = (second: number) => `2026-11-23T08:00:0${second}.000Z`
  const history = [
    { status: 'ACCEPTED.null', date: at(1) },
    { status: 'SENT.null', date: at(2) },
    { status: 'SENT.ENROUTE', date: at(3), code: '000' },
    { status: 'FAILED.UNDELIVERABLE', date: at(4), code: '011' },
  ]
  const webhook = {
    id: 'shop',
    types: ['SENT'],
    statuses: ['SENT', 'FAILED'],
    createdAt: at(0),
    active: true,
    state: 'RETRYING',
    lag: 1,
  }
  const attempt = (batchId: string, attempt: number, second: number, outcome: string) => {
    const id = `${batchId}${attempt}`
    return { id, batchId, attempt, date: at(second), outcome, replay: null }
  }
  const attempts = [
    attempt('b', 2, 7, 'TIMEOUT'),
    attempt('b', 1, 6, 'REFUSED'),
    attempt('a', 1, 3, 'ACCEPTED'),
  ]
  const message = { type: 'SENT', history } as const
  const found = [
    { webhook, attempts },
    { webhook: { ...webhook, types: ['RECEIVED'] }, attempts: [] },
    { webhook: { ...webhook, createdAt: at(9) }, attempts: [] },
  ]

  const shown = notificationsOf(message, found)

  assert.deepEqual(
    shown.map(({ statuses, batches }) => [
      statuses,
      batches.map((batch) => batch.map(({ id }) => id)),
    ]),
    [
      [
        ['SENT.null', 'FAILED.UNDELIVERABLE'],
        [['a1'], ['b1', 'b2']],
      ],
    ],
  )
  assert.equal(shown[0] && pendingText(shown[0]), 'The request will be repeated.')
})

describe('the preview of a replay', () => {
  const webhook = { types: ['SENT', 'RECEIVED'], statuses: ['DELIVERED', 'FAILED'] } as const

  it('waits for the beginning', () => {
    assert.equal(selectionOf(webhook, { until: '2026-01-02T00:00:00Z' }), null)
  })

  it('selects by time, types and messages, with the statuses of the webhook', () => {
    const draft = {
      from: '2026-01-01T00:00:00Z',
      until: '2026-01-02T00:00:00Z',
      messageIds: ['a', 'b'],
    }

    assert.deepEqual(selectionOf(webhook, draft), {
      updatedAt: { gte: '2026-01-01T00:00:00Z', lt: '2026-01-02T00:00:00Z' },
      'status.type': ['DELIVERED', 'FAILED', 'RECEIVED'],
      id: ['a', 'b'],
    })
    assert.deepEqual(selectionOf(webhook, { ...draft, types: ['RECEIVED'] })?.['status.type'], [
      'RECEIVED',
    ])
  })
})

it('carriers and webhooks that do not work, and carriers with an old backlog, are problems', () => {
  const nowMs = Date.parse('2026-11-23T08:10:00Z')
  const one = { id: 'a', name: null, active: true, state: 'BOUND', stateReason: null }
  const idle = { ...one, waitingMessages: 0, waitingSince: null }
  const at = (time: string) => ({ waitingMessages: 1, waitingSince: `2026-11-23T${time}Z` })

  const problems = problemsOf(
    [
      { ...idle, ...at('08:09:00') },
      { ...idle, id: 'b', name: 'North', state: 'DOWN', stateReason: 'refused' },
      { ...idle, id: 'slow', ...at('07:58:00') },
      { ...idle, id: 'off', active: false, state: 'STOPPED', ...at('06:10:00') },
    ],
    [
      { ...one, id: 'c', url: 'https://c', state: 'RETRYING' },
      { ...one, id: 'd', url: 'https://d', state: 'DISABLED', active: false },
    ],
    nowMs,
  )

  const waits = (time: string) => `1 message waits, the oldest for ${time}.`
  assert.deepEqual(problems, [
    { address: 'carriers/b', title: 'North', state: 'DOWN', reason: 'refused' },
    { address: 'carriers/slow', title: 'slow', state: 'LATE', reason: waits('12 min') },
    { address: 'carriers/off', title: 'off', state: 'LATE', reason: waits('2 h') },
    { address: 'webhooks/c', title: 'https://c', state: 'RETRYING', reason: '' },
  ])
})

it('messages that wait without a problem are told in the headline, with their carrier', () => {
  const nowMs = Date.parse('2026-11-23T08:00:14Z')
  const slow = { id: 'a', name: 'Slow', waitingMessages: 56, waitingSince: '2026-11-23T08:00:00Z' }
  const idle = { id: 'b', name: null, waitingMessages: null, waitingSince: null }

  assert.equal(waitingNow([idle], nowMs), null)
  assert.deepEqual(waitingNow([idle, slow], nowMs), {
    text: '56 messages wait at Slow, the oldest for 14 s',
    carrier: 'a',
  })
  assert.deepEqual(waitingNow([{ ...slow, id: 'c', waitingMessages: 1 }, slow], nowMs), {
    text: '57 messages wait at 2 carriers, the oldest for 14 s',
    carrier: null,
  })
})

it('the response time of a carrier is estimated, or awaited while nothing is sent', () => {
  assert.equal(responseTimeText({ inFlight: 0, partsPerSecond: 2 }), '–')
  assert.equal(responseTimeText({ inFlight: 10, partsPerSecond: 0 }), 'awaited')
  assert.equal(responseTimeText({ inFlight: 10, partsPerSecond: 1.25 }), 'about 8 s')
})

it('a failure is explained with the code of the network, if there is one', () => {
  const cause = 'The carrier refused it. Check sender and content.'

  assert.equal(failureText('FAILED.REJECTED', null), cause)
  assert.equal(failureText('FAILED.REJECTED', '3:11'), `${cause} The network code is 3:11.`)
  assert.equal(failureText('SENT.null', null), undefined)
})

it('the simulator shows the recipients that its reference lists', async () => {
  const address = new URL('../../docs/reference/simulator.md', import.meta.url)
  const listed = (await readFile(address, 'utf8')).matchAll(/^\| `([+][0-9]+)` \|/gm)

  assert.deepEqual(
    simulatorRecipients.map(([recipient]) => recipient),
    [...listed].map(([, recipient]) => recipient),
  )
})

it('the search names the keys of the machine', () => {
  assert.equal(searchKeys('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'), '⌘K')
  assert.equal(searchKeys('Mozilla/5.0 (X11; Linux x86_64)'), 'Ctrl K')
})

describe('the return from a provider', () => {
  it('shows why nobody signed in and what helps, and never a text of the address', () => {
    const known = refusalIn('#refused=not-granted&request=request_0a')
    const forged = refusalIn('#refused=call%20%2B1555&request=%3Cb%3E')

    assert.match(known?.message ?? '', /nobody gave you access.* Ask the operator/)
    assert.equal(known?.requestId, 'request_0a')
    assert.match(forged?.message ?? '', /^The sign-in did not succeed/)
    assert.equal(forged?.requestId, null)
    assert.equal(refusalIn('#signed-in'), null)
  })
})

it('numbers and durations are written as people say them', () => {
  assert.deepEqual(
    [1, 0, 1204, 0.07].map((count) => countText(count, 'credit')),
    ['1 credit', '0 credits', '1,204 credits', '0.07 credits'],
  )
  assert.deepEqual([0, 40, 1000, 1440, 120_000, 5_400_000, 172_800_000].map(durationText), [
    '0 s',
    '40 ms',
    '1 s',
    '1.4 s',
    '2 min',
    '1.5 h',
    '2 d',
  ])
  assert.equal(
    backlogText({ waitingMessages: 10_000, waitingSince: null }, 0),
    'At least 10,000 messages wait, the oldest for 0 s',
  )
})

describe('a form', () => {
  const [active, types, tags, cleared] = describeFields(
    { info: { version: '1' }, paths: {}, components: { schemas: {} } },
    {
      properties: {
        active: { type: 'boolean', 'x-default': true },
        types: {
          type: 'array',
          items: { type: 'string', enum: ['A', 'B'] },
          'x-default': ['A'],
        },
        tags: { type: 'array', items: { type: 'string', enum: ['X'] } },
        cleared: { type: ['boolean', 'null'], 'x-default': true },
      },
    },
  )
  assert.ok(active && types && tags && cleared)

  it('shows the default of a field that is not filled in', () => {
    assert.equal(defaultOf(active), true)
    assert.equal(defaultOf(cleared), undefined)
    assert.deepEqual(chosenIn(types, undefined), ['A'])
    assert.deepEqual(chosenIn(types, []), [])
    assert.deepEqual(chosenIn(tags, undefined), [])
  })

  it('sends an empty list only if it overrides a default', () => {
    assert.deepEqual(chosenValue(types, []), [])
    assert.equal(chosenValue(tags, []), undefined)
  })
})
