import type { CollectionDescription } from '../api/collection.ts'

/** The collections of the product, by group of the navigation. Others are the operator's. */
export const productGroups: readonly (readonly [title: string, paths: readonly string[]])[] = [
  ['Messaging', ['messages', 'conversations', 'broadcasts', 'contacts', 'groups', 'optOuts']],
  ['Delivery', ['webhooks', 'carriers', 'numbers']],
  ['Billing', ['credits', 'prices']],
  ['Administration', ['keys', 'accounts', 'auditEvents', 'maintenanceWindows']],
]

/** Collections that other screens show. */
export const hiddenPaths: ReadonlySet<string> = new Set(['sessions', 'statistics'])

const product = new Set([...productGroups.flatMap(([, paths]) => paths), ...hiddenPaths])

/** Returns true if the operator declares a collection, or the one that contains it. */
export function isDeclared({ path }: Pick<CollectionDescription, 'path'>): boolean {
  return !product.has(path.split('/')[0] ?? '')
}
