import type { Message, Webhook } from '@nuncio/client'
import type { Draft } from '../../collections/form/form.tsx'

/** The conditions that messages of a replay fulfil. */
export interface MessageSelection {
  readonly updatedAt: { readonly gte: string; readonly lt?: string }
  readonly 'status.type': readonly Message['status']['type'][]
  readonly id?: readonly string[]
}

/** Returns which messages a replay selects; null while its beginning is not chosen. */
export function selectionOf(
  { types, statuses }: Pick<Webhook, 'types' | 'statuses'>,
  draft: Draft,
): MessageSelection | null {
  const { from, until } = draft
  if (typeof from !== 'string' || from === '') return null
  const wanted = textsIn(draft['types']) ?? types
  const ids = textsIn(draft['messageIds'])
  return {
    updatedAt: { gte: from, ...(typeof until === 'string' ? { lt: until } : {}) },
    'status.type': [
      ...(wanted.includes('SENT') ? statuses : []),
      ...(wanted.includes('RECEIVED') ? (['RECEIVED'] as const) : []),
    ],
    ...(ids === null ? {} : { id: ids }),
  }
}

function textsIn(value: unknown): readonly string[] | null {
  return Array.isArray(value) && value.length > 0 ? value.map(String) : null
}
