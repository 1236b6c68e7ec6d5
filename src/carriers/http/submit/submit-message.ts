import type { OutgoingMessage, SubmitOutcome } from '../../../core/ports/carrier.ts'
import { takenParts, type PartProgress } from '../../sent-parts.ts'
import { batchedSubmitter } from './batched-submitter.ts'
import type { PartRequest } from './merge-requests.ts'
import type { PartResult, SubmitPartOptions } from './submit-parts.ts'

/** Dependencies of submitting messages. */
export interface SubmitMessageOptions extends SubmitPartOptions {
  /** Writes the requests of a message; throws where one cannot be written. */
  readonly requestsOf: (message: OutgoingMessage) => readonly PartRequest[]
}

/** Hands messages to a provider. */
export type SubmitMessage = (
  message: OutgoingMessage,
  signal: AbortSignal,
) => Promise<SubmitOutcome>

/**
 * Creates the function that submits messages. With one request per part, a part leaves after the
 * one before it was accepted: after a refusal no further part leaves, and at most one part is
 * uncertain.
 */
export function submitMessages(options: SubmitMessageOptions): SubmitMessage {
  const taken = takenParts<PartRequest>()
  const submitPart = batchedSubmitter(options)
  return async (message, signal) => {
    if (!options.settings.encodings.includes(message.encoding)) {
      options.stands.failed(`a message in ${message.encoding} is not carried`)
      return { kind: 'REJECTED', detail: 'REJECTED' }
    }
    let progress: PartProgress<PartRequest>
    try {
      progress = taken.of(message, () => options.requestsOf(message))
    } catch {
      // The error may quote the message.
      options.stands.failed('a request could not be written')
      return { kind: 'REJECTED', detail: 'REJECTED' }
    }
    const ids: string[][] = progress.ids.map((id) => (id === null ? [] : [id]))
    for (const [index, part] of progress.parts.entries()) {
      if (progress.ids[index] !== null) continue
      const isBegun = progress.ids.some((id) => id !== null)
      const isRecalled = (): boolean => !isBegun && message.isRecalled?.() === true
      const result = await submitPart({ part, isRecalled }, signal)
      if (result.kind === 'TAKEN') {
        const own = result.ids.length > 0 ? [...result.ids] : [part.id]
        ids[index] = own
        progress.ids[index] = own[0] ?? null
      } else if (result.kind === 'REFUSED') {
        const refused = { kind: 'REJECTED', detail: result.detail, ...codeIn(result) } as const
        return isBegun ? { ...refused, isBegun } : refused
      } else if (result.kind === 'LATER' && !isBegun) return { ...result, kind: 'BUSY' }
      else {
        // The provider has some parts: a retry must send only the others.
        if (progress.parts.length > 1) taken.keep(message, progress)
        return { kind: 'UNCERTAIN', reason: result.reason }
      }
    }
    return { kind: 'SUBMITTED', carrierMessageIds: [...new Set(ids.flat())] }
  }
}

/** A code only if the provider named one. */
function codeIn({ code }: Extract<PartResult, { kind: 'REFUSED' }>): { readonly code?: string } {
  return code === null ? {} : { code }
}
