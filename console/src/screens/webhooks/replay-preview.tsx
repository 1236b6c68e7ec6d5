import type { Webhook } from '@nuncio/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../../api/client.ts'
import type { Draft } from '../../collections/form/form.tsx'
import { countText } from '../../ui/numbers.ts'
import { selectionOf, type MessageSelection } from './replay-selection.ts'

/** Says how many messages a replay selects, before it starts. */
export function ReplayPreview({ webhook, draft }: { webhook: Webhook; draft: Draft }): ReactNode {
  const selection = selectionOf(webhook, draft)
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['replay-preview', selection],
    queryFn: ({ signal }) => count(selection, signal),
    enabled: selection !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  if (selection === null || data === undefined) return null
  return (
    <p role="status" className={isPlaceholderData ? 'muted' : ''}>
      {countText(data, 'message is', 'messages are')} selected
      {draft['failedOnly'] === true
        ? ' at most: only those that this webhook refused are sent'
        : ''}
      .
    </p>
  )
}

async function count(selection: MessageSelection | null, signal: AbortSignal): Promise<number> {
  if (selection === null || selection['status.type'].length === 0) return 0
  const request = { where: selection, count: true, pageSize: 1 } as const
  return (await client.messages.list(request, { signal })).total
}
