import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useDeferredValue, type ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { explain } from '../../api/problem.ts'
import { FaultNotice } from '../../ui/notice.tsx'
import { estimateInput, isReady, needsContacts, type BroadcastDraft } from './broadcast-draft.ts'
import { numberText } from '../../ui/numbers.ts'
import { missingValues, skippedOf, SkippedRecipients } from './skipped-recipients.tsx'
import { Preview } from './preview.tsx'

/** What a broadcast would cost, and what its first recipients would read. */
export function BroadcastEstimate({ draft }: { draft: BroadcastDraft }): ReactNode {
  const settled = useDeferredValue(draft)
  const { data, error } = useQuery({
    queryKey: ['broadcast-estimate', estimateInput(settled)],
    queryFn: ({ signal }) =>
      client.broadcasts.create(estimateInput(settled), { dryRun: true, signal }),
    enabled: isReady(settled),
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const estimate = isReady(draft) ? data?.estimate : undefined
  return (
    <>
      {error === null || !isReady(draft) ? null : <FaultNotice {...explain(error)} />}
      <section className="panel" aria-live="polite">
        <header>
          <h2>Estimate</h2>
          {estimate?.exact === false || needsContacts(draft) ? (
            <span className="muted">extrapolated</span>
          ) : null}
        </header>
        <dl className="figures panel-body">
          <Figure
            title="Recipients"
            value={draft.list?.recipients.length ?? estimate?.recipients}
          />
          <Figure title="Messages" value={estimate?.messages} />
          <Figure title="Parts" value={estimate?.parts} />
          <Figure title="Credits" value={estimate?.creditCost} />
        </dl>
      </section>
      {estimate === undefined ? null : (
        <SkippedRecipients skipped={skippedOf(estimate.skipped, missingValues(settled))} />
      )}
      {draft.list === null || draft.body === '' ? null : (
        <Preview body={draft.body} recipients={draft.list.recipients} />
      )}
    </>
  )
}

function Figure({ title, value }: { title: string; value: number | undefined }): ReactNode {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{value === undefined ? '–' : numberText(value)}</dd>
    </div>
  )
}
