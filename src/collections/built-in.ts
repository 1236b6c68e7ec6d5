import type { Collection } from '../core/declaration/collection.ts'
import { idempotentResponses } from '../core/declaration/idempotent-responses.ts'
import { accounts } from './accounts.ts'
import { auditEvents } from './audit-events.ts'
import { broadcastWork } from './broadcast-work.ts'
import { broadcastMessages, broadcasts } from './broadcasts.ts'
import { carriers } from './carriers.ts'
import { contacts } from './contacts.ts'
import { conversations } from './derived/conversations.ts'
import { creditMovements, credits } from './credits/credit-movements.ts'
import { deliveries } from './deliveries.ts'
import { groupContacts, groups } from './groups.ts'
import { incomingMessages } from './incoming-messages.ts'
import { keys } from './keys.ts'
import { maintenanceWindows } from './maintenance-windows.ts'
import { messages } from './messages.ts'
import { numbers } from './numbers.ts'
import { optOuts } from './opt-outs.ts'
import { replays } from './replays.ts'
import { prices } from './credits/prices.ts'
import { sessions } from './sessions/sessions.ts'
import { signInCodes } from './sessions/sign-in-codes.ts'
import { statistics, statisticsProgress } from './derived/statistics.ts'
import { webhooks } from './webhooks.ts'

/** The collections that every installation has. */
export const builtIn: readonly Collection[] = [
  messages,
  conversations,
  contacts,
  groups,
  groupContacts,
  broadcasts,
  broadcastMessages,
  broadcastWork,
  incomingMessages,
  idempotentResponses,
  webhooks,
  deliveries,
  replays,
  optOuts,
  numbers,
  carriers,
  keys,
  accounts,
  creditMovements,
  credits,
  prices,
  maintenanceWindows,
  auditEvents,
  statistics,
  statisticsProgress,
  sessions,
  signInCodes,
]

/** Names that no declared collection may have, because a built-in path uses or will use them. */
export const reservedNames: readonly string[] = ['notifications']
