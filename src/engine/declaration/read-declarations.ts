import type { Collection } from '../../core/declaration/collection.ts'
import {
  DeclarationError,
  type DeclarationFault,
} from '../../core/declaration/declaration-error.ts'
import { catalogueRules, type DeclarationContext } from './catalogue-rules.ts'
import { readCollection, type ReadCollection } from './read-collection.ts'
import { isWords, type Note } from './word-checks.ts'

/**
 * The limit of declared collections: one reference describes all, and one key can hold a scope for
 * each.
 */
const collectionsMax = 50

/**
 * Checks and completes the collections that an operator declares in a configuration file. Throws
 * one `DeclarationError` with the path, the cause and the remedy of every fault. `source` names the
 * file.
 */
export function readDeclarations(
  declared: readonly unknown[],
  surroundings: DeclarationContext,
  source: string,
): readonly Collection[] {
  const faults: DeclarationFault[] = []
  const note: Note = (path, detail) => faults.push({ path, detail })
  if (declared.length > collectionsMax) {
    note('collections', `are ${declared.length}; ${collectionsMax} are the most.`)
  }
  const read: ReadCollection[] = []
  const unread: string[] = []
  for (const [index, value] of declared.slice(0, collectionsMax).entries()) {
    const each = readCollection(value, `collections[${index}]`, note)
    if (each !== null) read.push(each)
    else if (isWords(value) && typeof value['name'] === 'string') unread.push(value['name'])
  }
  catalogueRules({ read, unread }, surroundings, note)
  if (faults.length > 0) throw new DeclarationError(source, faults)
  return read.map((each) => each.declared)
}
