import { collectionCommand } from './collections/collection-command.ts'
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
import { completion } from './commands/completion.ts'
import { doctor } from './doctor/doctor.ts'

/** The commands of collections with chosen columns, besides `carriers`. */
const shownCollections = [
  collectionCommand({
    name: 'messages',
    noun: 'a message',
    columns: ['id', 'createdAt', 'status.id', 'from', 'to', 'body'],
  }),
  collectionCommand({
    name: 'keys',
    noun: 'a key',
    columns: ['id', 'name', 'scopes', 'account', 'expiresAt', 'lastUsedAt'],
  }),
  collectionCommand({
    name: 'webhooks',
    noun: 'a webhook',
    columns: ['id', 'name', 'state', 'lag', 'lastSuccessAt', 'url'],
  }),
]

/** The commands in the order of the help. */
export const commands: readonly Command[] = [
  serve,
  send,
  listen,
  ...shownCollections,
  carriers,
  doctor,
  maintenance,
  backup,
  migrateStore,
  distribute,
  completion,
  help(() => commands),
  version,
]
