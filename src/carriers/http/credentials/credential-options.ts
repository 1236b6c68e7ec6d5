import type { NewId } from '../../../core/id.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import type { SendHttp } from '../../../core/ports/outgoing-request.ts'
import type { HttpSettings } from '../settings.ts'

/** Dependencies of credentials. */
export interface CredentialOptions {
  readonly id: string
  readonly settings: HttpSettings
  readonly clock: Clock
  readonly newId: NewId
  readonly send: SendHttp
  /** Ends requests for tokens, which several messages share. */
  readonly signal: AbortSignal
}
