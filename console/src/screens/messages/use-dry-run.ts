import type { Message } from '@nuncio/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { explain } from '../../api/problem.ts'
import { useSettled } from '../../ui/use-settled.ts'
import { inputOf, type MessageDraft } from './message-draft.ts'

/** The pause in typing after which the service computes the message. */
const pauseMs = 250

/** What the service would make of a draft. */
export interface DryRun {
  readonly message: Message | null
  readonly faults: ReadonlyMap<string, string>
}

const noFaults: ReadonlyMap<string, string> = new Map()

/** Asks the service what a draft would become, without creating it. */
export function useDryRun(draft: MessageDraft): DryRun {
  const settled = useSettled(draft, pauseMs)
  const { data, error } = useQuery({
    queryKey: ['dry-run', settled],
    queryFn: ({ signal }) => client.messages.create(inputOf(settled), { dryRun: true, signal }),
    enabled: settled.to !== '' && settled.body !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const isEmpty = draft.to === '' || draft.body === ''
  return {
    message: isEmpty || error !== null ? null : (data ?? null),
    faults: error === null ? noFaults : explain(error).faults,
  }
}
