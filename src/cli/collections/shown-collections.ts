import { collectionCommand } from './collection-command.ts'

/** The commands of collections with chosen columns, besides `carriers`. */
export const shownCollections = [
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
