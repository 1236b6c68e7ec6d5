import type { Clock } from '../core/ports/clock.ts'
import type { Log, LogLevel } from '../core/ports/log.ts'
import { timestamp } from '../core/timestamp.ts'
import type { Screen } from './process-context.ts'

/** The levels, least important first. */
const levels: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']

/** Opens the log of the service: readable lines on a terminal, otherwise one JSON object per line. */
export function openLog(level: LogLevel, screen: Screen, clock: Clock): Log {
  const least = levels.indexOf(level)
  const form = screen.terminal ? readable : json
  return (entryLevel, event, fields = {}) => {
    if (levels.indexOf(entryLevel) < least) return
    const head = { level: entryLevel, time: timestamp(clock.now()), event }
    screen.write(`${form(head, fields)}\n`)
  }
}

/** The fields of every entry. */
interface Head {
  readonly level: LogLevel
  readonly time: string
  readonly event: string
}

type LogFields = Readonly<Record<string, unknown>>

function json(head: Head, fields: LogFields): string {
  return text({ ...head, ...fields })
}

/** `12:00:00.000 info  event name=value`, with the stack of an error in the lines below. */
function readable({ level, time, event }: Head, fields: LogFields): string {
  const pairs = Object.entries(fields).map(([name, value]) => ` ${name}=${inline(value)}`)
  const stacks = Object.values(fields)
    .filter((value) => value instanceof Error)
    .map((error) => `\n${stackOf(error)}`)
  return `${time.slice(11, 23)} ${level.padEnd(5)} ${event}${pairs.join('')}${stacks.join('')}`
}

/** JSON keeps a value in one line, without control characters. */
function inline(value: unknown): string {
  if (value instanceof Error) return inline(value.message)
  return typeof value === 'string' && /^[\w.:/@+-]+$/.test(value) ? value : text(value)
}

/** Returns a value as JSON; a text for values that JSON cannot represent. Never throws. */
function text(value: unknown): string {
  try {
    return JSON.stringify(value, (_, member: unknown) => shown(member)) ?? 'null'
  } catch (error) {
    return JSON.stringify({ unwritable: String(error) })
  }
}

function shown(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (!(value instanceof Error)) return value
  // JSON omits an Error's standard members and shows only those that a library adds.
  const { name, message } = value
  return { ...value, type: name, message, stack: stackOf(value) }
}

/** The limit of shown causes: the chain may be a cycle. */
const causesMax = 5

/** Returns the stack of an error and of its causes. */
function stackOf(error: Error, causes = causesMax): string {
  const own = error.stack ?? `${error.name}: ${error.message}`
  const { cause } = error
  return cause instanceof Error && causes > 0
    ? `${own}\ncaused by: ${stackOf(cause, causes - 1)}`
    : own
}
