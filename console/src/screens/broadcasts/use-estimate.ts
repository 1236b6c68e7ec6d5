import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { client } from '../../api/client.ts'
import { explain, type Failure } from '../../api/problem.ts'
import { estimateInput, isReady, type BroadcastDraft } from './broadcast-draft.ts'
import type { Estimate } from './send-state.ts'

/** What the service says about a draft. */
export interface EstimatedDraft {
  /** The draft that was estimated: typing goes on meanwhile. */
  readonly settled: BroadcastDraft
  /** Undefined as long as it is unknown. */
  readonly estimate: Estimate | undefined
  readonly failure: Failure | null
}

/** Asks the service what a draft would send and cost. Nothing is created. */
export function useEstimate(draft: BroadcastDraft): EstimatedDraft {
  const settled = useDeferredValue(draft)
  const { data, error } = useQuery({
    queryKey: ['broadcast-estimate', estimateInput(settled)],
    queryFn: ({ signal }) =>
      client.broadcasts.create(estimateInput(settled), { dryRun: true, signal }),
    enabled: isReady(settled),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  if (!isReady(draft)) return { settled, estimate: undefined, failure: null }
  return { settled, estimate: data?.estimate, failure: error === null ? null : explain(error) }
}
