import type { Clock } from '../../../core/ports/clock.ts'
import type { PduCommand, Pdu } from '../pdus/pdu.ts'

/** Result of a request. */
export type PduResponse =
  | { readonly kind: 'ANSWERED'; readonly pdu: Pdu }
  /** No answer came in time, or the link ended before: perhaps it was taken. */
  | { readonly kind: 'UNANSWERED'; readonly reason: string }

/** The requests of a link that wait for their answers. */
export interface OpenRequests {
  readonly size: number
  /** Assigns a sequence number to a request; `onAnswer` is called once, never synchronously. */
  add(answeredBy: PduCommand, onAnswer: (answer: PduResponse) => void): number
  /**
   * Takes a response; returns false if no request expects it: a repetition, an unassigned number,
   * or the wrong command. A late response is taken too, and calls `onAnswer` a second time.
   */
  answer(pdu: Pdu): boolean
  /** Ends the waiting of all. */
  end(reason: string): void
}

/** Dependencies of open requests. */
export interface OpenRequestsOptions {
  readonly clock: Clock
  /** Timeout of a response, in milliseconds. */
  readonly timeoutMs: number
  /** Called when an answer did not come in time. */
  readonly onTimeout: () => void
}

/** The highest sequence number, section 3.2; it begins again at 1. */
const sequenceMax = 0x7fffffff

/** Number of timed-out requests to remember: a late response still carries information. */
const lateMax = 1000

interface Open {
  readonly answeredBy: PduCommand
  readonly onAnswer: (answer: PduResponse) => void
  readonly expiresAt: number
}

/** Makes a list of open requests. All wait equally long, so that one timer serves them. */
export function openRequests(options: OpenRequestsOptions): OpenRequests {
  const { clock, timeoutMs, onTimeout } = options
  const open = new Map<number, Open>()
  const late = new Map<number, Open>()
  let sequence = 0
  let cancel: (() => void) | null = null

  const arm = (): void => {
    const [first] = open.values()
    if (first === undefined || cancel !== null) return
    cancel = clock.after(first.expiresAt - clock.monotonic(), () => {
      cancel = null
      for (const [number, request] of takeExpired(open, clock.monotonic())) {
        remember(late, number, request)
        request.onAnswer({ kind: 'UNANSWERED', reason: `no answer within ${timeoutMs} ms` })
        onTimeout()
      }
      arm()
    })
  }

  return {
    get size() {
      return open.size
    },
    add: (answeredBy, onAnswer) => {
      do sequence = sequence === sequenceMax ? 1 : sequence + 1
      while (open.has(sequence) || late.has(sequence))
      open.set(sequence, { answeredBy, onAnswer, expiresAt: clock.monotonic() + timeoutMs })
      arm()
      return sequence
    },
    answer: (pdu) => {
      const request = open.get(pdu.sequence) ?? late.get(pdu.sequence)
      if (request === undefined) return false
      if (!isResponseTo(pdu.command, request.answeredBy)) return false
      open.delete(pdu.sequence)
      late.delete(pdu.sequence)
      request.onAnswer({ kind: 'ANSWERED', pdu })
      return true
    },
    end: (reason) => {
      cancel?.()
      late.clear()
      for (const [, { onAnswer }] of takeExpired(open, Infinity)) {
        onAnswer({ kind: 'UNANSWERED', reason })
      }
    },
  }
}

/**
 * Returns whether a command responds to a request with this sequence number. Some SMSCs respond to
 * each kind of bind with `bind_transmitter_resp`.
 */
function isResponseTo(command: PduCommand, answeredBy: PduCommand): boolean {
  return (
    command === answeredBy || command === 'generic_nack' || (isBind(command) && isBind(answeredBy))
  )
}

function isBind(command: PduCommand): boolean {
  return command.startsWith('bind_')
}

/** Takes out the requests whose time was over at `now`. */
function takeExpired(open: Map<number, Open>, now: number): readonly [number, Open][] {
  const expired: [number, Open][] = []
  for (const entry of open) {
    if (entry[1].expiresAt > now) break
    expired.push(entry)
    open.delete(entry[0])
  }
  return expired
}

function remember(late: Map<number, Open>, number: number, request: Open): void {
  const [oldest] = late.keys()
  if (late.size >= lateMax && oldest !== undefined) late.delete(oldest)
  late.set(number, request)
}
