import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFiles } from '../../../scripts/project-files.ts'
import { root } from './reader.ts'

const sourceFiles = projectFiles(root, /^src\/.*\.ts$/)

type Unit = 'count' | 'octets' | 'milliseconds'

/** What is limited, the constant that says how far, and what happens beyond it. */
const limits: readonly (readonly [what: string, place: string, unit: Unit, beyond: string])[] = [
  ['body of a request', 'src/http/ bodyBytesMax', 'octets', '413'],
  ['target of a request (path and query)', 'src/http/ targetBytesMax', 'count', '414'],
  ['header of a request', 'src/http/ headerBytesMax', 'octets', '431'],
  ['time for a request to arrive', 'src/http/ requestTimeoutMs', 'milliseconds', '408'],
  ['time that an idle connection is kept', 'src/http/ keepAliveMs', 'milliseconds', 'closed'],
  ['nesting of a body', 'src/engine/ nestingMax', 'count', '400'],
  ['instances on a page', 'src/engine/ pageSizeMax', 'count', '400'],
  ['pages of more than 100 that wait', 'src/core/ waitingMax', 'count', '503'],
  ['values of one field in a filter', 'src/engine/ valuesMax', 'count', '400'],
  ['characters of a `_like` pattern', 'src/engine/ patternCharactersMax', 'count', '400'],
  ['`*` in a `_like` pattern', 'src/engine/ wildcardsMax', 'count', '400'],
  ['fields in `sort`', 'src/engine/ keysMax', 'count', '400'],
  ['parts of a message, without `maxParts`', 'src/gateway/ defaultMaxParts', 'count', '400'],
  [
    'time that an answer to an `Idempotency-Key` is kept',
    'src/engine/ keptMs',
    'milliseconds',
    'a repetition counts as new',
  ],
  ['writes that wait', 'src/stores/sqlite/ waitingMax', 'count', '503'],
  ['messages with one carrier at once', 'src/gateway/ inFlightMax', 'count', 'the next ones wait'],
  [
    'time to hand a message over, where it has no `validUntil`',
    'src/gateway/ validityMs',
    'milliseconds',
    'FAILED.NOT_SENT',
  ],
  [
    'body sent to a webhook, one record excepted',
    'src/delivery/ bodyBytesMax',
    'octets',
    'the rest comes in the next one',
  ],
  [
    'answer of a receiver that is read',
    'src/delivery/ answerBytesMax',
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
    'src/delivery/ connectMsMax',
    'milliseconds',
    'a failed attempt',
  ],
  ['answer of a provider that is read', 'src/delivery/ answerBytesMax', 'octets', 'cut off'],
  ['events in a callback of a provider', 'src/carriers/ eventsMax', 'count', '400'],
  ['refusals of a record alone', 'src/delivery/ refusalsMax', 'count', 'set aside'],
  [
    'time without a success of a webhook',
    'src/delivery/ exhaustedAfterMs',
    'milliseconds',
    'DISABLED',
  ],
  [
    'time that notifications and attempts are kept',
    'src/delivery/ retentionMs',
    'milliseconds',
    'removed',
  ],
  ['requests to webhooks at once', 'src/delivery/ total', 'count', 'the next ones wait'],
  ['of these to one origin', 'src/delivery/ perOrigin', 'count', 'the next ones wait'],
  ['tests of webhooks at once', 'src/delivery/ testsMax', 'count', '503'],
  ['of these of one account', 'src/delivery/ testsOfAccountMax', 'count', '429'],
]

/** Returns the limits as a table. */
export function limitsTable(): string {
  const rows = limits.map(([what, place, unit, beyond]) => {
    return `| ${what} | ${shown(valueOf(place), unit)} | ${beyond} |`
  })
  return ['| limit | | beyond it |', '|---|---|---|', ...rows].join('\n')
}

/**
 * Returns the value of a constant: `name = 60 * secondMs`, or `name: 24,` in an object. Throws unless one
 * file below the path has it, so that a table survives a move.
 */
function valueOf(place: string): number {
  const [path = '', name = ''] = place.split(' ')
  const definition = new RegExp(`\\b${name}(?: =|:) (?!number)([\\w* ]+?)(?:,| }|$)`, 'm')
  const found = sourceFiles
    .filter((file) => file.startsWith(path))
    .flatMap((file) => {
      const value = definition.exec(readFileSync(join(root, file), 'utf8'))?.[1]
      return value === undefined ? [] : [{ file, value }]
    })
  const [first] = found
  if (first === undefined || found.length > 1) {
    const files = found.map(({ file }) => file).join(', ')
    throw new Error(`one file below ${path} must define ${name}, not ${files || 'none'}`)
  }
  return first.value
    .split(' * ')
    .map((factor) =>
      /^\d/.test(factor) ? Number(factor.replaceAll('_', '')) : valueOf(`${first.file} ${factor}`),
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
