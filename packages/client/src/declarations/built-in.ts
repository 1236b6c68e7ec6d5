import type { accounts } from '../../../../src/collections/accounts.ts'
import type { broadcasts } from '../../../../src/collections/broadcasts.ts'
import type { carriers } from '../../../../src/collections/carriers.ts'
import type { contacts } from '../../../../src/collections/contacts.ts'
import type { creditMovements } from '../../../../src/collections/credit-movements.ts'
import type { deliveries } from '../../../../src/collections/deliveries.ts'
import type { groups } from '../../../../src/collections/groups.ts'
import type { keys } from '../../../../src/collections/keys.ts'
import type { maintenanceWindows } from '../../../../src/collections/maintenance-windows.ts'
import type { messages } from '../../../../src/collections/messages.ts'
import type { numbers } from '../../../../src/collections/numbers.ts'
import type { optOuts } from '../../../../src/collections/opt-outs.ts'
import type { replays } from '../../../../src/collections/replays.ts'
import type { prices } from '../../../../src/collections/prices.ts'
import type { webhooks } from '../../../../src/collections/webhooks.ts'

/** The collections that every service has, by their paths. A test holds them against the declarations. */
export interface BuiltIn {
  readonly accounts: typeof accounts
  readonly 'accounts/creditMovements': typeof creditMovements & MadeAndRead
  readonly broadcasts: typeof broadcasts & TakesSteps
  readonly 'broadcasts/messages': typeof messages & OnlyRead
  readonly carriers: typeof carriers
  readonly contacts: typeof contacts
  readonly credits: typeof creditMovements & OnlyRead
  readonly groups: typeof groups
  readonly 'groups/contacts': typeof contacts & Members
  readonly keys: typeof keys & ShowsSecret
  readonly maintenanceWindows: typeof maintenanceWindows
  readonly messages: typeof messages & CanBeCancelled
  readonly numbers: typeof numbers
  readonly optOuts: typeof optOuts
  readonly prices: typeof prices
  readonly webhooks: typeof webhooks & ShowsSecret
  readonly 'webhooks/deliveries': typeof deliveries & MadeAndRead
  readonly 'webhooks/replays': typeof replays & CanBeStopped
}

/**
 * The secret is in the answer that made it and in no other: where that answer was lost and the
 * request repeated, there is none.
 */
interface ShowsSecret {
  readonly shows: { readonly secret?: string }
}

/** The one status that a client may set. */
interface CanBeCancelled {
  readonly patchedBy: { readonly status?: { readonly type: 'CANCELLED' } | undefined }
}

/** A replay is made, and cancelled by the one state that a client may set. */
interface CanBeStopped {
  readonly methods: {
    readonly collection: readonly ['GET', 'POST']
    readonly instance: readonly ['GET', 'PATCH']
  }
  readonly patchedBy: { readonly state?: 'CANCELLED' | undefined }
}

/** The states that a client may ask for. */
interface TakesSteps {
  readonly patchedBy: { readonly state?: 'RUNNING' | 'PAUSED' | 'CANCELLED' | undefined }
}

/** What the service makes. */
interface OnlyRead {
  readonly methods: {
    readonly collection: readonly ['GET']
    readonly instance: readonly ['GET']
  }
}

/** It is made and read, and never changed. */
interface MadeAndRead {
  readonly methods: {
    readonly collection: readonly ['GET', 'POST']
    readonly instance: readonly ['GET']
  }
}

/** Members are added by their identifier, too, and are not changed through what they belong to. */
interface Members {
  readonly methods: {
    readonly collection: readonly ['GET', 'POST']
    readonly instance: readonly ['GET', 'DELETE']
  }
  readonly addedBy: { readonly id: string }
}
