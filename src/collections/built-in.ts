import type { Collection } from '../core/collection.ts'
import { accounts } from './accounts.ts'
import { contacts } from './contacts.ts'
import { deliveries } from './deliveries.ts'
import { groupContacts, groups } from './groups.ts'
import { keys } from './keys.ts'
import { maintenanceWindows } from './maintenance-windows.ts'
import { messages } from './messages.ts'
import { webhooks } from './webhooks.ts'

/** The collections that every installation has. */
export const builtIn: readonly Collection[] = [
  messages,
  contacts,
  groups,
  groupContacts,
  webhooks,
  deliveries,
  keys,
  accounts,
  maintenanceWindows,
]
