import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { CollectionDescription } from '../src/api/collection.ts'
import { actionsFor, searchOf } from '../src/shell/actions.ts'

function collectionNamed(path: string, scope: string | undefined): CollectionDescription {
  return {
    path,
    name: path,
    parent: path.includes('/') ? (path.split('/')[0] ?? null) : null,
    description: '',
    fields: [],
    inputs: [],
    filters: new Set(),
    sorts: new Set(),
    search: null,
    scopes: scope === undefined ? {} : { create: scope },
    reveals: false,
  }
}

it('the command palette has an action for all that a key can create', () => {
  const collections = [
    collectionNamed('messages', 'messages:write'),
    collectionNamed('broadcasts', 'broadcasts:write'),
    collectionNamed('contacts', 'contacts:write'),
    collectionNamed('groups/contacts', 'groups:write'),
    collectionNamed('books', 'books:write'),
    collectionNamed('sessions', 'sessions:write'),
    collectionNamed('auditEvents', undefined),
    collectionNamed('accounts', 'admin'),
  ]
  const titles = (scopes: readonly string[]): readonly string[] =>
    actionsFor(collections, scopes).map(({ title }) => title)

  assert.deepEqual(titles(['*']), [
    'Send message',
    'Create broadcast',
    'Create contact',
    'Import contacts',
    'Create book',
  ])
  assert.deepEqual(titles(['messages:write']), ['Send message'])
  assert.deepEqual(titles(['*:read']), [])
  const [create] = actionsFor(collections, ['books:write'])
  assert.ok(create !== undefined)
  assert.deepEqual([create.address, searchOf(create)], ['books', { _open: 'create' }])
})
