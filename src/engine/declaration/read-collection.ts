import {
  collection,
  type Collection,
  type ResourceMethod,
} from '../../core/declaration/collection.ts'
import { didYouMean } from '../../core/declaration/nearest.ts'
import {
  collectionName,
  noun,
  countFaults,
  flag,
  isWords,
  oneOf,
  sentence,
  shown,
  texts,
  type Note,
  type WordCheck,
  type Words,
} from './word-checks.ts'
import { readFields } from './read-fields.ts'

/** A declaration that was read, with its path in the file. */
export interface ReadCollection {
  readonly path: string
  readonly declared: Collection
  /** The faulty fields, which `declared` lacks. */
  readonly unread: readonly string[]
}

const methods = {
  collection: ['GET', 'POST'],
  instance: ['GET', 'PUT', 'PATCH', 'DELETE'],
} as const

const words: Readonly<Record<string, WordCheck>> = {
  name: collectionName,
  noun,
  description: sentence,
  parent: (value) => (value === null ? null : sentence(value)),
  order: oneOf(['newestFirst', 'oldestFirst']),
  searchedBy: texts,
  searchIndex: flag,
  methods: (value) =>
    isWords(value) ? null : `must be { collection: […], instance: […] }, is ${shown(value)}.`,
  administratorsOnly: flag,
  conditional: flag,
  audited: flag,
  owned: (value) => (value === false ? null : 'is for collections with custom code. Leave it out.'),
  filters: (value) =>
    isWords(value) && Object.keys(value).length === 0
      ? null
      : 'is for collections with custom code. Leave it out.',
  membersOf: (value) =>
    value === null ? null : 'is for collections that every installation has. Leave it out.',
  changedByAdministrators: flag,
  removedFields: texts,
  fields: () => null,
}

/** The words that an operator can say of a collection. */
export const collectionWords: readonly string[] = Object.keys(words).filter(
  (word) => !['owned', 'filters', 'membersOf'].includes(word),
)

const needed = ['name', 'noun', 'description', 'fields'] as const

/**
 * Reads the declaration of one collection and notes its faults. Returns null if the faults prevent
 * checks against other collections.
 */
export function readCollection(value: unknown, path: string, note: Note): ReadCollection | null {
  if (!isWords(value)) {
    note(path, `must be a collection, such as collection({ … }), is ${shown(value)}.`)
    return null
  }
  const counted = countFaults(note)
  checkWords(value, path, counted.note)
  checkMethods(value['methods'], `${path}.methods`, counted.note)
  if (counted.faults > 0) {
    if (value['fields'] !== undefined) readFields(value['fields'], `${path}.fields`, note)
    return null
  }
  const fields = readFields(value['fields'], `${path}.fields`, note)
  // Each word was checked: this is the border where a declaration comes in.
  const given = Object.fromEntries(Object.entries(value).filter(([, word]) => word !== undefined))
  const declared = collection({ ...given, fields } as unknown as Collection)
  const names = isWords(value['fields']) ? Object.keys(value['fields']) : []
  return { path, declared, unread: names.filter((name) => !Object.hasOwn(fields, name)) }
}

function checkWords(value: Words, path: string, note: Note): void {
  for (const [word, given] of Object.entries(value)) {
    const check = Object.hasOwn(words, word) ? words[word] : undefined
    if (check === undefined) {
      const meant = didYouMean(word, collectionWords)
      const known = collectionWords.join(', ')
      note(`${path}.${word}`, `is no word of a collection.${meant} It takes ${known}.`)
      continue
    }
    const wrong = given === undefined ? null : check(given)
    if (wrong !== null) note(`${path}.${word}`, wrong)
  }
  for (const word of needed) {
    if (value[word] === undefined) note(`${path}.${word}`, 'is missing: every collection needs it.')
  }
}

function checkMethods(value: unknown, path: string, note: Note): void {
  if (!isWords(value)) return
  for (const [place, given] of Object.entries(value)) {
    const at = `${path}.${place}`
    if (place !== 'collection' && place !== 'instance') {
      note(at, 'is neither collection nor instance. Leave it out.')
      continue
    }
    const known: readonly ResourceMethod[] = methods[place]
    const wrong = given === undefined ? null : texts(given)
    if (wrong !== null) note(at, wrong)
    const odd = Array.isArray(given) ? given.find((each) => !known.includes(each)) : undefined
    if (odd !== undefined) note(at, `has ${shown(odd)}; it takes ${known.join(', ')}.`)
  }
}
