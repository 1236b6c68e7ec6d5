import { useSyncExternalStore, type ReactNode } from 'react'

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

/** Returns how far a time is from now: `3 min. ago`. */
export function relativeTime(time: string, nowMs: number): string {
  const seconds = Math.round((Date.parse(time) - nowMs) / 1000)
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return relative.format(Math.trunc(seconds / size), unit)
}

const exactLocal = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** Returns the exact time in the user's zone, and in UTC. */
export function exactTime(time: string): string {
  return `${exactLocal.format(new Date(time))} · ${time}`
}

/** How often relative times are renewed. */
const tickMs = 10_000
let ticks = 0
const listeners = new Set<() => void>()
setInterval(() => {
  ticks += 1
  for (const listener of listeners) listener()
}, tickMs)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows a time relative to now, and the exact one on hover. */
export function Time({ value }: { value: string }): ReactNode {
  useSyncExternalStore(subscribe, () => ticks)
  if (Number.isNaN(Date.parse(value))) return value
  return (
    <time dateTime={value} title={exactTime(value)}>
      {relativeTime(value, Date.now())}
    </time>
  )
}
