import type { OutgoingMessage, SubmitOutcome } from '../../core/ports/carrier.ts'
import type { OutgoingRequest } from '../../core/ports/outgoing-request.ts'
import { takenParts, type PartProgress } from '../taken-parts.ts'
import { submitPart, type SubmitPartOptions } from './submit-part.ts'

/** What handing messages over needs. */
export interface SubmitMessageOptions extends SubmitPartOptions {
  /** Writes the requests of a message; throws where one cannot be written. */
  readonly requestsOf: (message: OutgoingMessage) => readonly OutgoingRequest[]
  /** Makes an identifier for what the provider names none for. */
  readonly newPartId: () => string
}

/** Hands messages to a provider. */
export type SubmitMessage = (
  message: OutgoingMessage,
  signal: AbortSignal,
) => Promise<SubmitOutcome>

/**
 * Makes what hands messages over. Where there is a request for each part, a part goes when the one
 * before it was taken: of a message that is refused nothing more is sent, and at most one part of it can
 * be uncertain.
 */
export function submitMessages(options: SubmitMessageOptions): SubmitMessage {
  const taken = takenParts<OutgoingRequest>()
  return async (message, signal) => {
    if (!options.settings.encodings.includes(message.encoding)) {
      options.stands.failed(`a message in ${message.encoding} is not carried`)
      return { kind: 'REJECTED', detail: 'REJECTED' }
    }
    let progress: PartProgress<OutgoingRequest>
    try {
      progress = taken.of(message, () => options.requestsOf(message))
    } catch {
      // What was thrown may quote what was to be written.
      options.stands.failed('a request could not be written')
      return { kind: 'REJECTED', detail: 'REJECTED' }
    }
    const ids: string[][] = progress.ids.map((id) => (id === null ? [] : [id]))
    for (const [index, request] of progress.parts.entries()) {
      if (progress.ids[index] !== null) continue
      const isBegun = progress.ids.some((id) => id !== null)
      const isRecalled = (): boolean => !isBegun && message.isRecalled?.() === true
      const result = await submitPart(options, request, isRecalled, signal)
      if (result.kind === 'TAKEN') {
        const own = result.ids.length > 0 ? [...result.ids] : [options.newPartId()]
        ids[index] = own
        progress.ids[index] = own[0] ?? null
      } else if (result.kind === 'REFUSED') {
        const refused = { kind: 'REJECTED', detail: result.detail } as const
        return isBegun ? { ...refused, isBegun } : refused
      } else if (result.kind === 'LATER' && !isBegun) return { ...result, kind: 'BUSY' }
      else {
        // What was taken of it is there: only with that in mind may it be handed over again.
        if (progress.parts.length > 1) taken.keep(message, progress)
        return { kind: 'UNCERTAIN', reason: result.reason }
      }
    }
    return { kind: 'SUBMITTED', carrierMessageIds: [...new Set(ids.flat())] }
  }
}
