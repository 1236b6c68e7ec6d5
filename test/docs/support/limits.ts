import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './reader.ts'

type Unit = 'count' | 'octets' | 'milliseconds'

/** A limit, the folder and name of its constant, and the effect beyond it. */
const limits: readonly (readonly [what: string, place: string, unit: Unit, beyond: string])[] = [
  ['body of a request', 'src/http bodyBytesMax', 'octets', '413'],
  ['target of a request (path and query)', 'src/http targetBytesMax', 'count', '414'],
  ['header of a request', 'src/http headerBytesMax', 'octets', '431'],
  ['fields of a head', 'src/http fieldsMax', 'count', '431'],
  ['time for a request to arrive', 'src/http requestTimeoutMs', 'milliseconds', '408'],
  [
    'bodies and large responses of one account in transit',
    'src/http bytesPerAccountMax',
    'octets',
    '429',
  ],
  ['bodies and large responses in transit', 'src/http bytesInTotalMax', 'octets', '503'],
  ['pieces of a body', 'src/http piecesMax', 'count', '413'],
  ['bodies of callbacks arriving from one address', 'src/http arrivingMax', 'count', '429'],
  ['octets of a body within 5 s', 'src/http bodyBytesMin', 'octets', '408'],
  [
    'octets of a response that a client reads within 30 s',
    'src/http readBytesMin',
    'octets',
    'closed',
  ],
  ['characters of the instances on a page', 'src/core pageLengthMax', 'count', '400'],
  ['time of an idle connection', 'src/http keepAliveMs', 'milliseconds', 'closed'],
  ['nesting of a body', 'src/engine nestingMax', 'count', '400'],
  ['members of a body, and its arrays and objects', 'src/engine membersMax', 'count', '400'],
  ['parameters of a form', 'src/http parametersMax', 'count', '400'],
  ['body of a sign-in', 'src/http signInBytesMax', 'octets', '413'],
  ['instances on a page', 'src/engine pageSizeMax', 'count', '400'],
  ['waiting pages of one account', 'src/engine waitingMax', 'count', '503'],
  ['pipelined requests that wait on a connection', 'src/http pipelinedMax', 'count', 'closed'],
  [
    'pipelined requests that wait on all connections',
    'src/http waitingInTotalMax',
    'count',
    'connections that pipeline are closed',
  ],
  ['values of one field in a filter', 'src/engine valuesMax', 'count', '400'],
  ['characters of a `_like` pattern', 'src/engine patternCharactersMax', 'count', '400'],
  ['`*` in a `_like` pattern', 'src/engine wildcardsMax', 'count', '400'],
  ['fields in `sort`', 'src/engine keysMax', 'count', '400'],
  ['parts of a message, without `maxParts`', 'src/gateway defaultMaxParts', 'count', '400'],
  [
    'time of a stored `Idempotency-Key`',
    'src/engine keptMs',
    'milliseconds',
    'a repetition is a new request',
  ],
  ['waiting writes', 'src/stores waitingMax', 'count', '503'],
  ['messages in flight at a carrier', 'src/gateway inFlightMax', 'count', 'others wait'],
  [
    'time to submit a message without `validUntil`',
    'src/gateway validityMs',
    'milliseconds',
    'FAILED.NOT_SENT',
  ],
  [
    'body sent to a webhook, except for a single record',
    'src/delivery bodyBytesMax',
    'octets',
    'the next request has the rest',
  ],
  ['response of a receiver', 'src/delivery answerBytesMax', 'octets', 'the connection is closed'],
  ['stored response of a receiver', 'src/delivery keptBytesMax', 'octets', 'truncated'],
  [
    'time to connect to a receiver',
    'src/delivery connectMsMax',
    'milliseconds',
    'a failed attempt',
  ],
  ['response of a provider', 'src/delivery answerBytesMax', 'octets', 'truncated'],
  ['events in a callback of a provider', 'src/carriers eventsMax', 'count', '400'],
  ['refusals of a single record', 'src/delivery refusalsMax', 'count', 'dead letter'],
  [
    'time without a success of a webhook',
    'src/delivery exhaustedAfterMs',
    'milliseconds',
    'DISABLED',
  ],
  [
    'retention of notifications and attempts',
    'src/delivery retentionMs',
    'milliseconds',
    'deleted',
  ],
  ['simultaneous requests to webhooks', 'src/delivery total', 'count', 'others wait'],
  ['simultaneous requests to one origin', 'src/delivery perOrigin', 'count', 'others wait'],
  ['simultaneous tests of webhooks', 'src/delivery testsMax', 'count', '503'],
  ['simultaneous tests of one account', 'src/delivery testsOfAccountMax', 'count', '429'],
]

/** Returns the limits as a table. Throws if a constant is missing from its folder, or ambiguous there. */
export function limitsTable(): string {
  const rows = limits.map(([what, place, unit, beyond]) => {
    const [folder = '', name = ''] = place.split(' ')
    return `| ${what} | ${shown(valueOf(folder, name), unit)} | ${beyond} |`
  })
  return ['| limit | | beyond it |', '|---|---|---|', ...rows].join('\n')
}

/** Returns the number that the files below a folder give a name: one value, even if several define it. */
function valueOf(folder: string, name: string): number {
  const values = new Set(
    sourcesBelow(folder).flatMap((text) => {
      const value = definitionIn(text, name)
      return value === null ? [] : [value]
    }),
  )
  const [value] = values
  if (value === undefined) throw new Error(`no file below ${folder} defines ${name}`)
  if (values.size > 1) throw new Error(`files below ${folder} define several values of ${name}`)
  return value
}

/** Reads `name = 60 * secondMs`, or `name: 24,` in an object; null if the file has neither. */
function definitionIn(text: string, name: string): number | null {
  const definition = new RegExp(`\\b${name}(?: =|:) (?!number)([\\w* ]+?)(?:,| }|$)`, 'm')
  const found = definition.exec(text)?.[1]
  if (found === undefined) return null
  const factors = found
    .split(' * ')
    .map((factor) =>
      /^\d/.test(factor) ? Number(factor.replaceAll('_', '')) : definitionIn(text, factor),
    )
  return factors.reduce<number | null>(
    (product, factor) => (product === null || factor === null ? null : product * factor),
    1,
  )
}

function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'))
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
