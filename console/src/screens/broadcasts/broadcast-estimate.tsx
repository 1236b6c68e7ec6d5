import type { ReactNode } from 'react'
import { FaultNotice } from '../../ui/notice.tsx'
import { numberText } from '../../ui/numbers.ts'
import { needsContacts, type BroadcastDraft } from './broadcast-draft.ts'
import { missingValues, skippedOf } from './missing-values.ts'
import { Preview } from './preview.tsx'
import { SkippedRecipients } from './skipped-recipients.tsx'
import type { EstimatedDraft } from './use-estimate.ts'

interface Props {
  readonly draft: BroadcastDraft
  readonly estimated: EstimatedDraft
}

/** What a broadcast would cost, and what its first recipients would read. */
export function BroadcastEstimate({ draft, estimated }: Props): ReactNode {
  const { settled, estimate, failure } = estimated
  return (
    <>
      {failure === null ? null : <FaultNotice {...failure} />}
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
        <SkippedRecipients
          body={settled.body}
          skipped={skippedOf(estimate.skipped, missingValues(settled))}
        />
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
