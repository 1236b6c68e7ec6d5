import type { JsonValue } from '../../../core/json.ts'
import type { OutgoingRequest } from '../../../core/ports/outgoing-request.ts'

/** Request for a part of a message. */
export interface PartRequest {
  /** Identifier of the part at the carrier if the provider names none. */
  readonly id: string
  readonly request: OutgoingRequest
  /** The body before it became text; null if it is not JSON. */
  readonly json: JsonValue
  /** The request that created its message, as `correlationText`. */
  readonly correlation?: string | null
}
