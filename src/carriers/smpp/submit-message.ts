import type { OutgoingMessage, SubmitOutcome } from '../../core/ports/carrier.ts'
import type { SubmittedPart } from './pdus/submission.ts'
import { takenParts, type PartProgress, type TakenParts } from '../sent-parts.ts'
import type { Link } from './session/link.ts'
import { isStorable, messageId } from './pdus/receipt.ts'
import type { PduResponse } from './session/channel.ts'
import { statuses, statusName, statusText } from './pdus/pdu.ts'
import type { DeclaredMeaning } from './settings.ts'
import type { Throttle } from './session/throttle.ts'
import type { QueuedSend, SendQueue } from './session/send-queue.ts'

/** Dependencies of submitting a message. */
export interface SmppSubmitMessageOptions extends SmppSubmitPartOptions {
  /** Writes the parts of a message; throws where one cannot be written. */
  readonly partsOf: (message: OutgoingMessage) => readonly SubmittedPart[]
}

/** Hands messages to an SMSC, part by part. */
export type SmppSubmitMessage = (
  message: OutgoingMessage,
  signal: AbortSignal,
) => Promise<SubmitOutcome>

/**
 * Makes what submits messages. A part goes when the one before it was taken: of a message that is
 * refused nothing more is sent, and at most one part of it can be uncertain.
 */
export function submitMessages(options: SmppSubmitMessageOptions): SmppSubmitMessage {
  const taken = takenParts<SubmittedPart>()
  return async (message, signal) => {
    let progress: PartProgress<SubmittedPart>
    try {
      progress = taken.of(message, () => options.partsOf(message))
    } catch (error) {
      options.onRefused(`a message could not be written: ${String(error)}`)
      return { kind: 'REJECTED', detail: 'REJECTED' }
    }
    return submitAll(options, taken, message, progress, signal)
  }
}

async function submitAll(
  options: SmppSubmitMessageOptions,
  taken: TakenParts<SubmittedPart>,
  message: OutgoingMessage,
  progress: PartProgress<SubmittedPart>,
  signal: AbortSignal,
): Promise<SubmitOutcome> {
  for (const [index, part] of progress.parts.entries()) {
    if (progress.ids[index] !== null) continue
    const isBegun = progress.ids.some((id) => id !== null)
    const isRecalled = (): boolean => !isBegun && message.isRecalled?.() === true
    const onLate = (id: string): void => {
      progress.ids[index] ??= id
    }
    const result = await submitPart(options, { part, isBegun, isRecalled, onLate }, signal)
    if (result.kind === 'TAKEN') progress.ids[index] = result.id
    else if (result.kind === 'REFUSED') {
      const { detail, code } = result
      return { kind: 'REJECTED', detail, code, ...(isBegun ? { isBegun } : {}) }
    } else if (result.kind === 'LATER' && !isBegun) {
      return { kind: 'BUSY', retryAfterMs: result.retryAfterMs, reason: result.reason }
    } else {
      // The SMSC has some parts: a retry must send only the others.
      taken.keep(message, progress)
      return { kind: 'UNCERTAIN', reason: result.reason }
    }
  }
  return { kind: 'SUBMITTED', carrierMessageIds: progress.ids.filter((id) => id !== null) }
}

/** Result of submitting a part. */
export type SmppPartResult =
  | { readonly kind: 'TAKEN'; readonly id: string }
  | { readonly kind: 'REFUSED'; readonly detail: string; readonly code: string }
  /** The SMSC did not take it. */
  | { readonly kind: 'LATER'; readonly retryAfterMs: number; readonly reason: string }
  /** Perhaps taken. */
  | { readonly kind: 'UNCERTAIN'; readonly reason: string }

/** Dependencies of submitting a part. */
export interface SmppSubmitPartOptions {
  readonly queue: SendQueue
  readonly throttle: Throttle
  readonly meaningOf: (status: number) => SubmitStatusMeaning
  /** An identifier for a part that the SMSC gave none. */
  readonly newPartId: () => string
  /** A part was sent. */
  readonly onSent: () => void
  /** It was answered with this `command_status`, or null: it was not. */
  readonly onAnswer: (status: number | null) => void
  /** The SMSC did not take a part. */
  readonly onRefused: (detail: string) => void
}

/** A part to be submitted. */
export interface PartToSubmit {
  readonly part: SubmittedPart
  /** Another part of its message was taken. */
  readonly isBegun: boolean
  /** Returns true if the part's message must not be sent. */
  readonly isRecalled: () => boolean
  /** Reports a late response: the SMSC took a part whose result was uncertain. */
  readonly onLate: (id: string) => void
}

/** Retry delay of a part that the SMSC could not take, in milliseconds. */
const laterMs = 15_000

/**
 * Submits a part in its turn. A throttled part waits for its next turn; an aborted signal ends it
 * with the result known by then.
 */
export function submitPart(
  options: SmppSubmitPartOptions,
  { part, isBegun, isRecalled, onLate }: PartToSubmit,
  signal: AbortSignal,
): Promise<SmppPartResult> {
  return new Promise((resolve) => {
    let isSent = false
    let isOver = false
    let giveUp = (): void => {}

    const end = (result: SmppPartResult): void => {
      if (isOver && result.kind === 'TAKEN') onLate(result.id)
      if (isOver) return
      isOver = true
      signal.removeEventListener('abort', onAbort)
      resolve(result)
    }
    const onAbort = (): void => {
      giveUp()
      end(isSent ? { kind: 'UNCERTAIN', reason: tooLate } : later(1000, tooLate))
    }
    const queue = (): void => {
      const sendAway: QueuedSend['sendAway'] = (delayMs, reason) => end(later(delayMs, reason))
      giveUp = options.queue.wait({ isBegun, go, sendAway })
    }
    const go = (link: Link): void => {
      if (isRecalled()) return end(later(0, recalled))
      isSent = true
      options.onSent()
      link.submit(part, (answer) => {
        const result = resultOf(answer, options)
        if (result !== 'SLOWER') end(result)
        else {
          options.throttle.slower()
          isSent = false
          if (!isOver) queue()
        }
        options.queue.pass()
      })
    }

    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)
    queue()
  })
}

const tooLate = 'there was no time left'
const recalled = 'the message was deleted'

function later(retryAfterMs: number, reason: string): SmppPartResult {
  return { kind: 'LATER', retryAfterMs, reason }
}

function resultOf(
  answer: PduResponse,
  { meaningOf, throttle, newPartId, onAnswer, onRefused }: SmppSubmitPartOptions,
): SmppPartResult | 'SLOWER' {
  onAnswer(answer.kind === 'UNANSWERED' ? null : answer.pdu.status)
  if (answer.kind === 'UNANSWERED') return { kind: 'UNCERTAIN', reason: answer.reason }
  const { pdu } = answer
  const isNack = pdu.command !== 'submit_sm_resp'
  const meaning = isNack && pdu.status === 0 ? noMeaning : meaningOf(pdu.status)
  if (meaning.kind !== 'TAKEN') onRefused(statusText(pdu.status))
  switch (meaning.kind) {
    case 'TAKEN': {
      throttle.faster()
      const id = isNack ? '' : messageId(pdu.body.message_id)
      return { kind: 'TAKEN', id: id === '' || !isStorable(id) ? newPartId() : id }
    }
    case 'REFUSED':
      return { kind: 'REFUSED', detail: meaning.detail, code: statusName(pdu.status) }
    case 'LATER':
      return later(laterMs, statusText(pdu.status))
    case 'SLOWER':
      return 'SLOWER'
  }
}

/** A generic_nack that names no fault. */
const noMeaning: SubmitStatusMeaning = { kind: 'LATER' }

/** Meaning for the part of a `command_status` in a submit response. */
export type SubmitStatusMeaning =
  | { readonly kind: 'TAKEN' }
  /** Never; `detail` is the one of the status FAILED. */
  | { readonly kind: 'REFUSED'; readonly detail: string }
  /** Not now: again after a while. */
  | { readonly kind: 'LATER' }
  /** Too fast: all that is sent slows down, and the part goes again. */
  | { readonly kind: 'SLOWER' }

/**
 * Meanings of the statuses that are no plain refusal. Any other status, private ones included (from
 * 0x400), is a refusal: a second submit would fail too.
 */
const meanings = new Map<number, DeclaredMeaning>([
  [statuses.ESME_RTHROTTLED, 'THROTTLED'],
  [statuses.ESME_RMSGQFUL, 'THROTTLED'],
  // The SMSC is in trouble, not the message.
  [statuses.ESME_RSYSERR, 'RETRY'],
  [statuses.ESME_RX_T_APPN, 'RETRY'],
  [statuses.ESME_RUNKNOWNERR, 'RETRY'],
  // The bind is in trouble: another one, or the next, may be not.
  [statuses.ESME_RINVBNDSTS, 'RETRY'],
  [statuses.ESME_RBINDFAIL, 'RETRY'],
  [statuses.ESME_RALYBND, 'RETRY'],
  // No sender can reach the recipient.
  [statuses.ESME_RINVDSTADR, 'UNDELIVERABLE'],
  [statuses.ESME_RDELIVERYFAILURE, 'UNDELIVERABLE'],
])

/** Returns the function that classifies a status; the operator's meanings, in hex, come first. */
export function submitMeanings(
  own: readonly { readonly status: string; readonly meaning: DeclaredMeaning }[],
): (status: number) => SubmitStatusMeaning {
  const all = new Map(meanings)
  for (const { status, meaning } of own) all.set(Number(status), meaning)
  return (status) => {
    if (status === statuses.ESME_ROK) return { kind: 'TAKEN' }
    const meaning = all.get(status) ?? 'REJECTED'
    if (meaning === 'RETRY') return { kind: 'LATER' }
    return meaning === 'THROTTLED' ? { kind: 'SLOWER' } : { kind: 'REFUSED', detail: meaning }
  }
}
