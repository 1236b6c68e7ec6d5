import { clientSettings } from '../../config/client-settings.ts'
import { settingFlags, type Flag } from '../arguments.ts'
import { callService, loadAccess, openClient } from '../client.ts'
import { refuse, type Command, type CommandWord, type GivenArguments } from '../command.ts'
import { collectionAt, type CollectionCall, type ShownCollection } from './any-collection.ts'
import { writesInOwn } from './field-values.ts'
import { listInstances } from './list-instances.ts'
import { withHint } from './name-hints.ts'
import { changeInstance, createInstance, deleteInstance, showInstance } from './one-instance.ts'

const words: readonly CommandWord[] = [
  { word: 'list', summary: 'Shows a page; further flags are filters.', takesFields: true },
  { word: 'show', summary: 'Shows one.', object: { placeholder: 'id' } },
  { word: 'create', summary: 'Creates one; further flags are its fields.', takesFields: true },
  {
    word: 'change',
    summary: 'Changes the fields that are given as flags.',
    object: { placeholder: 'id' },
    takesFields: true,
  },
  { word: 'delete', summary: 'Deletes one.', object: { placeholder: 'id' } },
]

/** The flags of every command of a collection. */
const flags: readonly Flag[] = [
  {
    flag: 'file',
    placeholder: 'file',
    description: 'Takes the fields from a JSON file, or with - from standard input.',
    note: 'Flags of fields override it.',
    words: ['create', 'change'],
  },
  {
    flag: 'dry-run',
    placeholder: null,
    description: 'Shows the result, and stores or deletes nothing.',
    words: ['create', 'change', 'delete'],
  },
  {
    flag: 'account',
    placeholder: 'id',
    description: 'Reads in this account, for administrators.',
    note: 'For list it is a filter. Writes are in the account of the key.',
    words: ['show', 'delete'],
  },
  {
    flag: 'watch',
    placeholder: null,
    description: 'Repeats the list every 2 s until Ctrl-C; without a terminal, prints changes.',
    words: ['list'],
  },
  {
    flag: 'json',
    placeholder: null,
    description: 'Prints JSON instead of a table.',
    words: words.map(({ word }) => word),
  },
  ...settingFlags(clientSettings),
]

/** Makes the command of a collection. */
export function collectionCommand(
  shown: ShownCollection,
): Command & { readonly words: readonly CommandWord[] } {
  const { name, noun } = shown
  return {
    name,
    summary: `Lists ${name}; shows, creates, changes and deletes ${noun}.`,
    usage: `${name} list|show|create|change|delete [id] [flags]`,
    words,
    notes: [
      'A field is a flag: --name Shop, --settings.port 2775. Lists are separated by commas. ' +
        'The flags of list are the parameters of the query language: --createdAt_gte 2026-01-01T00:00:00Z, ' +
        '--sort createdAt_desc, --search, --pageSize, --after, --fields.',
      'Give secrets in a file: a flag shows in the process list. With --id, create chooses the id.',
    ],
    flags,
    run: async (given, context) => {
      const loaded = loadAccess(given, context)
      const faults = [...(loaded.ok ? [] : loaded.faults), ...missing(name, given)]
      if (!loaded.ok || faults.length > 0) return refuse(context, name, faults)

      const access = loaded.config
      return callService(access, context, async () => {
        const isWatched = given.switches.has('watch')
        const client = await openClient(access, context, isWatched ? watchAttempts : 1)
        const collection = collectionAt(client, name)
        const asked = { ...shown, collection, access, given, context }
        return withHint(asked, () => perform(asked))
      })
    },
  }
}

/** A watched service may be restarting. */
const watchAttempts = 8

async function perform(call: CollectionCall): Promise<number> {
  const { collection, columns, given, context } = call
  switch (given.word) {
    case 'show':
      return showInstance(call)
    case 'create':
      return createInstance(call)
    case 'change':
      return changeInstance(call)
    case 'delete':
      return deleteInstance(call)
    default:
      await listInstances(collection, columns, given, context)
      return 0
  }
}

function missing(
  name: string,
  { word, object, faults, values }: GivenArguments,
): readonly string[] {
  if (word === 'delete' && values['account'] !== undefined) return [writesInOwn(values['account'])]
  if (word === null) {
    const names = words.map((each) => each.word)
    return faults.length > 0 ? [] : [`Give ${names.join(', ')}: nuncio ${name} list`]
  }
  const needsId = words.find((each) => each.word === word)?.object !== undefined
  return needsId && object === null ? [`Give the id: nuncio ${name} ${word} <id>`] : []
}

/**
 * Returns the command of a collection that the table of commands does not have, such as `contacts`
 * or `groups/friends/contacts`; null if the arguments do not name a word of such a command.
 */
export function otherCollection(name: string, [first]: readonly string[]): Command | null {
  const isWord = words.some(({ word }) => word === first)
  const isPath = /^[A-Za-z]\w*(\/[\w.~-]+\/[A-Za-z]\w*)?$/.test(name)
  if (!isWord || !isPath) return null
  return collectionCommand({ name, noun: 'an instance', columns: chosenColumns.get(name) ?? null })
}

/** The columns of collections whose first fields say too little. */
const chosenColumns: ReadonlyMap<string, readonly string[]> = new Map([
  ['conversations', ['counterpart', 'address', 'lastMessage.createdAt', 'lastMessage.body']],
  [
    'statistics',
    ['date', 'resolution', 'account', 'carrier', 'status', 'messages', 'parts', 'credits'],
  ],
])
