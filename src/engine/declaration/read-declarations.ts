import { type Collection, qualifiedName } from '../../core/declaration/collection.ts'
import {
  DeclarationError,
  type DeclarationFault,
} from '../../core/declaration/declaration-error.ts'
import type { Field, Fields } from '../../core/declaration/field.ts'
import { didYouMean } from '../../core/declaration/nearest.ts'
import { readCollection, type ReadCollection } from './read-collection.ts'
import { isWords, type Note, shown } from './word-checks.ts'

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

/** The collections and names that declared collections must be compatible with. */
export interface DeclarationContext {
  readonly builtIn: readonly Collection[]
  /** Names at the root that lead elsewhere, or are to. */
  readonly reservedNames: readonly string[]
}

/** All declarations that were read, and the names of the faulty ones. */
interface ReadAll {
  readonly read: readonly ReadCollection[]
  readonly unread: readonly string[]
}

/** Checks declared collections against each other and against the built-in ones. */
function catalogueRules(
  { read, unread }: ReadAll,
  { builtIn, reservedNames }: DeclarationContext,
  note: Note,
): void {
  const all = [...builtIn, ...read.map(({ declared }) => declared)]
  for (const [index, { path, declared, unread: faulty }] of read.entries()) {
    const before = all.slice(0, builtIn.length + index)
    nameRules(declared, before, reservedNames, path, note)
    if (!unread.includes(declared.parent ?? '')) parentRules(declared, all, path, note)
    searchRules(declared, faulty, path, note)
    referenceRules(declared, all, unread, path, note)
    removalRules(declared, path, note)
  }
}

function nameRules(
  declared: Collection,
  before: readonly Collection[],
  reservedNames: readonly string[],
  path: string,
  note: Note,
): void {
  const own = qualifiedName(declared).toLowerCase()
  const same = before.find((other) => qualifiedName(other).toLowerCase() === own)
  const isReserved = reservedNames.some((name) => name.toLowerCase() === own)
  if (same !== undefined || isReserved) {
    const what = isReserved ? 'is reserved' : 'is the name of another collection'
    note(`${path}.name`, `${shown(declared.name)} ${what}. Choose another.`)
  }
  if (declared.noun === declared.name) {
    note(`${path}.noun`, 'is the plural. Give the singular: identifiers begin with it.')
  }
  const taken = before.find(({ noun, name }) => noun === declared.noun && name !== declared.name)
  if (taken !== undefined) {
    const whose = `of ${qualifiedName(taken)}: identifiers would be ambiguous`
    note(`${path}.noun`, `${shown(declared.noun)} is the noun ${whose}. Choose another.`)
  }
}

function parentRules(
  { parent }: Collection,
  all: readonly Collection[],
  path: string,
  note: Note,
): void {
  if (parent === null) return
  const at = `${path}.parent`
  const found = all.find((other) => qualifiedName(other) === parent)
  if (found === undefined) {
    const meant = didYouMean(parent, rootNames(all))
    note(at, `names ${shown(parent)}, and there is no such collection.${meant}`)
  } else if (found.parent !== null) {
    note(
      at,
      `names ${shown(parent)}, which is nested itself. Nest in ${found.parent}, or refer to it.`,
    )
  }
}

function searchRules(
  { searchedBy, searchIndex, fields }: Collection,
  faulty: readonly string[],
  path: string,
  note: Note,
): void {
  if (searchIndex === true && searchedBy.length === 0) {
    note(`${path}.searchIndex`, 'needs searchedBy, the fields that are searched. Add it.')
  }
  for (const [index, name] of searchedBy.entries()) {
    const at = `${path}.searchedBy[${index}]`
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    const searchable = Object.keys(fields).filter((each) => isSearchable(fields[each]))
    if (faulty.includes(name)) continue
    if (field === undefined) {
      const meant = didYouMean(name, searchable)
      note(at, `names ${shown(name)}, and there is no such field.${meant}`)
    } else if (!isSearchable(field)) {
      note(at, `names ${shown(name)}, which is no text that is shown. Leave it out.`)
    }
  }
}

function isSearchable(field: Field | undefined): boolean {
  return field?.kind === 'text' && field.writeOnly !== true
}

function referenceRules(
  declared: Collection,
  all: readonly Collection[],
  unread: readonly string[],
  path: string,
  note: Note,
): void {
  for (const [at, name] of referencesIn(declared.fields, `${path}.fields`)) {
    if (unread.includes(name)) continue
    const target = all.find((other) => qualifiedName(other) === name)
    if (target === undefined) {
      const meant = didYouMean(name, rootNames(all))
      note(at, `names ${shown(name)}, and there is no such collection.${meant}`)
    } else if (target.parent !== null) {
      note(at, `names ${shown(name)}, which is nested. Refer to a collection at the root.`)
    } else if (target.administratorsOnly && !declared.administratorsOnly) {
      note(
        at,
        `names ${shown(name)}, whose instances no account but the first sees. Use a text field.`,
      )
    }
  }
}

function referencesIn(fields: Fields, path: string): readonly (readonly [string, string])[] {
  return Object.entries(fields).flatMap(([name, field]) => referencesOf(field, `${path}.${name}`))
}

function referencesOf(field: Field, path: string): readonly (readonly [string, string])[] {
  if (field.kind === 'reference') return [[`${path}.collection`, field.collection]]
  if (field.kind === 'object') return referencesIn(field.properties, `${path}.properties`)
  return field.kind === 'array' ? referencesOf(field.items, `${path}.items`) : []
}

function removalRules({ removedFields, fields }: Collection, path: string, note: Note): void {
  for (const [index, name] of removedFields.entries()) {
    if (!isDeclared(fields, name.split('.'))) continue
    note(
      `${path}.removedFields[${index}]`,
      `names ${shown(name)}, which is declared. Leave one out.`,
    )
  }
}

/** Follows the names of a field, through lists and maps as well. */
function isDeclared(fields: Fields, [name = '', ...rest]: readonly string[]): boolean {
  let field = Object.hasOwn(fields, name) ? fields[name] : undefined
  while (field?.kind === 'array' || field?.kind === 'map') {
    field = field.kind === 'array' ? field.items : field.values
  }
  if (field === undefined || rest.length === 0) return field !== undefined
  return field.kind === 'object' && isDeclared(field.properties, rest)
}

function rootNames(all: readonly Collection[]): readonly string[] {
  return all.filter(({ parent }) => parent === null).map(({ name }) => name)
}
