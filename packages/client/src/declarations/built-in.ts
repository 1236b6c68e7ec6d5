import type { accounts } from '../../../../src/collections/accounts.ts'
import type { broadcasts } from '../../../../src/collections/broadcasts.ts'
import type { carriers } from '../../../../src/collections/carriers.ts'
import type { contacts } from '../../../../src/collections/contacts.ts'
import type { conversations } from '../../../../src/collections/derived/conversations.ts'
import type { creditMovements } from '../../../../src/collections/credits/credit-movements.ts'
import type { deliveries } from '../../../../src/collections/deliveries.ts'
import type { groups } from '../../../../src/collections/groups.ts'
import type { keys } from '../../../../src/collections/keys.ts'
import type { auditEvents } from '../../../../src/collections/audit-events.ts'
import type { maintenanceWindows } from '../../../../src/collections/maintenance-windows.ts'
import type { messages } from '../../../../src/collections/messages.ts'
import type { numbers } from '../../../../src/collections/numbers.ts'
import type { optOuts } from '../../../../src/collections/opt-outs.ts'
import type { replays } from '../../../../src/collections/replays.ts'
import type { prices } from '../../../../src/collections/credits/prices.ts'
import type { sessions } from '../../../../src/collections/sessions/sessions.ts'
import type { statistics } from '../../../../src/collections/derived/statistics.ts'
import type { webhooks } from '../../../../src/collections/webhooks.ts'

/** The built-in collections by path. A test compares them with the declarations. */
export interface BuiltIn {
  readonly accounts: typeof accounts
  readonly 'accounts/creditMovements': typeof creditMovements & MadeAndRead
  readonly broadcasts: typeof broadcasts & TakesSteps
  readonly 'broadcasts/messages': typeof messages & OnlyRead
  readonly carriers: typeof carriers
  readonly contacts: typeof contacts
  readonly conversations: typeof conversations
  readonly credits: typeof creditMovements & OnlyRead
  readonly groups: typeof groups
  readonly 'groups/contacts': typeof contacts & Members
  readonly keys: typeof keys & ShowsSecret
  readonly auditEvents: typeof auditEvents
  readonly maintenanceWindows: typeof maintenanceWindows
  readonly messages: typeof messages & CanBeCancelled
  readonly numbers: typeof numbers
  readonly optOuts: typeof optOuts
  readonly prices: typeof prices
  readonly sessions: typeof sessions
  readonly statistics: typeof statistics
  readonly webhooks: typeof webhooks & ShowsSecret
  readonly 'webhooks/deliveries': typeof deliveries & MadeAndRead
  readonly 'webhooks/replays': typeof replays & CanBeStopped
}

/** The response that created it shows the secret, once. A repeated request shows none. */
interface ShowsSecret {
  readonly shows: { readonly secret?: string }
}

/** The one status that a client may set. */
interface CanBeCancelled {
  readonly patchedBy: { readonly status?: { readonly type: 'CANCELLED' } | undefined }
}

/** A replay can be created and cancelled; a client may set no other state. */
interface CanBeStopped {
  readonly methods: {
    readonly collection: readonly ['GET', 'POST']
    readonly instance: readonly ['GET', 'PATCH']
  }
  readonly patchedBy: { readonly state?: 'CANCELLED' | undefined }
}

/** The states that a client may set. */
interface TakesSteps {
  readonly patchedBy: { readonly state?: 'RUNNING' | 'PAUSED' | 'CANCELLED' | undefined }
}

/** A collection whose instances only the service creates. */
interface OnlyRead {
  readonly methods: {
    readonly collection: readonly ['GET']
    readonly instance: readonly ['GET']
  }
}

/** A collection whose instances are created and read, never changed. */
interface MadeAndRead {
  readonly methods: {
    readonly collection: readonly ['GET', 'POST']
    readonly instance: readonly ['GET']
  }
}

/** Members can also be added by id. Their collection alone can change them. */
interface Members {
  readonly methods: {
    readonly collection: readonly ['GET', 'POST']
    readonly instance: readonly ['GET', 'DELETE']
  }
  readonly addedBy: { readonly id: string }
}
