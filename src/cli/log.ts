import { pino, stdSerializers } from 'pino'
import type { Clock } from '../core/clock.ts'
import type { Log, LogLevel } from '../core/log.ts'
import { timestamp } from '../core/timestamp.ts'
import type { Screen } from './surroundings.ts'

/** The log of the service: lines for people on a terminal, elsewhere one JSON object a line. */
export function openLog(level: LogLevel, screen: Screen, clock: Clock): Log {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${timestamp(clock.now())}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => screen.write(screen.terminal ? readable(line) : line) },
  )
  return (entryLevel, event, fields = {}) => {
    if (logger.isLevelEnabled(entryLevel)) logger[entryLevel]({ event, ...withErrors(fields) })
  }
}

/** An Error has no members of its own that JSON would show. */
function withErrors(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? stdSerializers.err(value) : value,
    ]),
  )
}

/** `12:00:00.000 info  event name=value`, with the stack of an error in the lines below. */
function readable(line: string): string {
  const { level, time, event, ...fields }: Record<string, unknown> = JSON.parse(line)
  const stacks: string[] = []
  const pairs = Object.entries(fields).map(([name, value]) => {
    const error = isError(value) ? value : null
    if (error !== null) stacks.push(`\n${error.stack}`)
    return ` ${name}=${error === null ? inline(value) : inline(error.message)}`
  })
  const clockTime = String(time).slice(11, 23)
  return `${clockTime} ${String(level).padEnd(5)} ${String(event)}${pairs.join('')}${stacks.join('')}\n`
}

function isError(value: unknown): value is { readonly stack: string; readonly message: string } {
  return typeof value === 'object' && value !== null && 'stack' in value && 'message' in value
}

/** JSON keeps a value in one line and its control characters away from the terminal. */
function inline(value: unknown): string {
  return typeof value === 'string' && /^[\w.:/@+-]+$/.test(value) ? value : JSON.stringify(value)
}
