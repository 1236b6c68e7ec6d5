import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './reader.ts'

type Unit = 'count' | 'octets' | 'milliseconds'

/** What is limited, the constant that says how far, and what happens beyond it. */
const limits: readonly (readonly [what: string, place: string, unit: Unit, beyond: string])[] = [
  ['body of a request', 'src/http/server.ts bodyBytesMax', 'octets', '413'],
  ['target of a request (path and query)', 'src/http/long-query.ts targetBytesMax', 'count', '414'],
  ['header of a request', 'src/http/server.ts headerBytesMax', 'octets', '431'],
  ['time for a request to arrive', 'src/http/server.ts requestTimeoutMs', 'milliseconds', '408'],
  [
    'time that an idle connection is kept',
    'src/http/server.ts keepAliveMs',
    'milliseconds',
    'closed',
  ],
  ['nesting of a body', 'src/engine/json-text.ts nestingMax', 'count', '400'],
  ['instances on a page', 'src/engine/query/query-parameters.ts pageSizeMax', 'count', '400'],
  [
    'pages of more than 100 that wait',
    'src/core/declaration/large-pages.ts waitingMax',
    'count',
    '503',
  ],
  [
    'values of one field in a filter',
    'src/engine/query/filter-parameters.ts valuesMax',
    'count',
    '400',
  ],
  [
    'characters of a `_like` pattern',
    'src/engine/query/filter-parameters.ts patternCharactersMax',
    'count',
    '400',
  ],
  [
    '`*` in a `_like` pattern',
    'src/engine/query/filter-parameters.ts wildcardsMax',
    'count',
    '400',
  ],
  ['fields in `sort`', 'src/engine/query/sort-parameter.ts keysMax', 'count', '400'],
  [
    'parts of a message, without `maxParts`',
    'src/gateway/messages/content.ts defaultMaxParts',
    'count',
    '400',
  ],
  [
    'time that an answer to an `Idempotency-Key` is kept',
    'src/engine/idempotency.ts keptMs',
    'milliseconds',
    'a repetition counts as new',
  ],
  ['writes that wait', 'src/stores/sqlite/commits/group-commit.ts waitingMax', 'count', '503'],
  [
    'messages with one carrier at once',
    'src/gateway/carriers/settled-carriers.ts inFlightMax',
    'count',
    'the next ones wait',
  ],
  [
    'time to hand a message over, where it has no `validUntil`',
    'src/gateway/submission/due.ts validityMs',
    'milliseconds',
    'FAILED.NOT_SENT',
  ],
  [
    'body sent to a webhook, one record excepted',
    'src/delivery/attempts/batch.ts bodyBytesMax',
    'octets',
    'the rest comes in the next one',
  ],
  [
    'answer of a receiver that is read',
    'src/delivery/egress/exchange-http.ts answerBytesMax',
    'octets',
    'the connection is closed',
  ],
  [
    'answer of a receiver that is kept',
    'src/delivery/egress/poster.ts keptBytesMax',
    'octets',
    'cut off',
  ],
  [
    'time to connect to a receiver',
    'src/delivery/egress/connect.ts connectMsMax',
    'milliseconds',
    'a failed attempt',
  ],
  [
    'answer of a provider that is read',
    'src/delivery/egress/exchange-http.ts answerBytesMax',
    'octets',
    'cut off',
  ],
  [
    'events in a callback of a provider',
    'src/carriers/http/callbacks/callbacks.ts eventsMax',
    'count',
    '400',
  ],
  [
    'refusals of a record alone',
    'src/delivery/attempts/settle.ts refusalsMax',
    'count',
    'set aside',
  ],
  [
    'time without a success of a webhook',
    'src/delivery/attempts/schedule.ts exhaustedAfterMs',
    'milliseconds',
    'DISABLED',
  ],
  [
    'time that notifications and attempts are kept',
    'src/delivery/attempts/schedule.ts retentionMs',
    'milliseconds',
    'removed',
  ],
  [
    'requests to webhooks at once',
    'src/delivery/workers/concurrency-limiter.ts total',
    'count',
    'the next ones wait',
  ],
  [
    'of these to one origin',
    'src/delivery/workers/concurrency-limiter.ts perOrigin',
    'count',
    'the next ones wait',
  ],
  ['tests of webhooks at once', 'src/delivery/rules/test-limits.ts testsMax', 'count', '503'],
  [
    'of these of one account',
    'src/delivery/rules/test-limits.ts testsOfAccountMax',
    'count',
    '429',
  ],
]

/** The limits as a table. Throws where a constant is not where it was. */
export function limitsTable(): string {
  const rows = limits.map(([what, place, unit, beyond]) => {
    return `| ${what} | ${shown(valueOf(place), unit)} | ${beyond} |`
  })
  return ['| limit | | beyond it |', '|---|---|---|', ...rows].join('\n')
}

/** The number that a source file gives a name: `name = 60 * secondMs`, or `name: 24,` in an object. */
function valueOf(place: string): number {
  const [file = '', name = ''] = place.split(' ')
  const text = readFileSync(join(root, file), 'utf8')
  const definition = new RegExp(`\\b${name}(?: =|:) (?!number)([\\w* ]+?)(?:,| }|$)`, 'm')
  const found = definition.exec(text)?.[1]
  if (found === undefined) throw new Error(`${file} does not say what ${name} is`)
  return found
    .split(' * ')
    .map((factor) =>
      /^\d/.test(factor) ? Number(factor.replaceAll('_', '')) : valueOf(`${file} ${factor}`),
    )
    .reduce((product, factor) => product * factor, 1)
}

/** Units, from how many of the next smaller one each is used. */
const scales: Readonly<
  Record<Unit, readonly (readonly [size: number, name: string, from: number])[]>
> = {
  count: [[1, '', 0]],
  octets: [
    [1024 ** 2, ' MiB', 1024 ** 2],
    [1024, ' KiB', 0],
  ],
  milliseconds: [
    [24 * 3_600_000, ' days', 48 * 3_600_000],
    [3_600_000, ' hours', 3_600_000],
    [1000, ' s', 0],
  ],
}

function shown(value: number, unit: Unit): string {
  const [size, name] = scales[unit].find(([, , from]) => value >= from) ?? [1, '']
  return `${(value / size).toLocaleString('en')}${name}`
}
