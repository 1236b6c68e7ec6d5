import type { CollectionDescription } from '../api/collection.ts'

/** Titles that the name of a collection does not give. */
const titles: Readonly<Record<string, string>> = {
  optOuts: 'Opt-outs',
  auditEvents: 'Audit',
  keys: 'API keys',
  maintenanceWindows: 'Maintenance',
  'accounts/creditMovements': 'Credit movements',
  credits: 'Credits',
  'webhooks/deliveries': 'Attempts',
}

/** Returns the title of a collection: `Opt-outs`. */
export function collectionTitle({
  path,
  name,
}: Pick<CollectionDescription, 'path' | 'name'>): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase()
  return titles[path] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the noun for a number of instances: `1 opt-out`, `2 opt-outs`. */
export function collectionNoun(collection: CollectionDescription, count: number): string {
  const many = nouns[collection.path] ?? collectionTitle(collection).toLowerCase()
  if (count !== 1) return many
  return many.replace(/(?:ies)$/, 'y').replace(/(?<!s)s$/, '')
}

const nouns: Readonly<Record<string, string>> = {
  keys: 'keys',
  auditEvents: 'audit events',
  maintenanceWindows: 'maintenance windows',
  credits: 'credit movements',
  'webhooks/deliveries': 'attempts',
}
