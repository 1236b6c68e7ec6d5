import { shownCollections } from './collections/shown-collections.ts'
import type { Command } from './command.ts'
import { backup } from './commands/backup.ts'
import { carriers } from './commands/carriers.ts'
import { distribute } from './commands/distribute.ts'
import { help } from './commands/help.ts'
import { listen } from './commands/listen.ts'
import { maintenance } from './commands/maintenance.ts'
import { migrateStore } from './commands/migrate-store.ts'
import { send } from './commands/send.ts'
import { serve } from './commands/serve.ts'
import { version } from './commands/version.ts'

/** The commands in the order of the help. */
export const commands: readonly Command[] = [
  serve,
  send,
  listen,
  ...shownCollections,
  carriers,
  maintenance,
  backup,
  migrateStore,
  distribute,
  help(() => commands),
  version,
]
