import type { OutgoingMessage, SubmitOutcome } from '../../core/ports/carrier.ts'
import { submitPart, type SmppSubmitPartOptions } from './submit-part.ts'
import type { SubmittedPart } from './pdus/submission.ts'
import { takenParts, type PartProgress, type TakenParts } from '../taken-parts.ts'

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
      const { detail } = result
      return isBegun ? { kind: 'REJECTED', detail, isBegun } : { kind: 'REJECTED', detail }
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
