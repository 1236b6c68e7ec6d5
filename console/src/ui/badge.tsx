import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** What a state means for people: its colour, and its shape for those who do not see colours. */
export type Tone = 'good' | 'warn' | 'bad' | 'calm' | 'idle'

const shapes: Readonly<Record<Tone, IconName>> = {
  good: 'check',
  warn: 'clock',
  bad: 'warning',
  calm: 'arrow',
  idle: 'circle',
}

/** The tones of the words that the service uses for states and outcomes. */
const tones: Readonly<Record<string, Tone>> = {
  DELIVERED: 'good',
  RECEIVED: 'calm',
  SENT: 'calm',
  ACCEPTED: 'calm',
  SCHEDULED: 'warn',
  UNKNOWN: 'warn',
  FAILED: 'bad',
  CANCELLED: 'idle',
  ACTIVE: 'good',
  RETRYING: 'warn',
  DISABLED: 'bad',
  LATE: 'warn',
  BOUND: 'good',
  CONNECTING: 'warn',
  DOWN: 'bad',
  STOPPED: 'idle',
  REFUSED: 'bad',
  GONE: 'bad',
  UNREACHABLE: 'bad',
  TIMEOUT: 'bad',
  BLOCKED: 'bad',
  RUNNING: 'calm',
  PAUSED: 'warn',
  DONE: 'good',
  FINISHED: 'good',
  COMPLETED: 'good',
}

/** Returns the tone of a state, such as `FAILED.EXPIRED`. */
export function toneOf(state: string): Tone {
  return tones[state.split('.')[0] ?? ''] ?? 'idle'
}

/** Writes a state as people read it: `FAILED.EXPIRED` becomes `Failed · expired`. */
export function stateText(state: string): string {
  const [type = '', detail] = state.toLowerCase().replaceAll('_', ' ').split('.')
  const first = type.charAt(0).toUpperCase() + type.slice(1)
  return detail === undefined || detail === 'null' ? first : `${first} · ${detail}`
}

/** Shows a state by shape, word and colour. */
export function Badge({ state, tone = toneOf(state) }: { state: string; tone?: Tone }): ReactNode {
  return <Shape tone={tone} text={stateText(state)} />
}

/** Shows the outcome of a request to a webhook: an accepted one is a success, whatever became of the message. */
export function OutcomeBadge({ outcome }: { outcome: string }): ReactNode {
  return outcome === 'ACCEPTED' ? (
    <Shape tone="good" text="Received by webhook" />
  ) : (
    <Badge state={outcome} />
  )
}

function Shape({ tone, text }: { tone: Tone; text: string }): ReactNode {
  return (
    <span className={`badge ${tone}`}>
      <Icon name={shapes[tone]} />
      {text}
    </span>
  )
}
