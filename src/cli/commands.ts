import type { Command } from './command.ts'
import { help } from './help.ts'
import { listen } from './listen.ts'
import { maintenance } from './maintenance.ts'
import { migrateStore } from './migrate-store.ts'
import { send } from './send.ts'
import { serve } from './serve.ts'
import { version } from './version.ts'

/** Every command, in the order of the help. */
export const commands: readonly Command[] = [
  serve,
  send,
  listen,
  maintenance,
  migrateStore,
  help(() => commands),
  version,
]
