import type { ReactNode } from 'react'
import { defaultAlphabet, defaultExtension } from '../../../../src/encoding/septets.ts'
import type { MessageDraft } from './message-draft.ts'
import type { DryRun } from './use-dry-run.ts'

const gsm = new Set([...defaultAlphabet, ...defaultExtension].flatMap((entry) => [...entry]))

/** Characters named at most: the first ones show the cause. */
const namedMax = 12

interface Props {
  readonly draft: MessageDraft
  readonly dryRun: DryRun
}

/** Parts, cost and alphabet of a draft, and the characters that make it expensive. */
export function Estimate({ draft, dryRun }: Props): ReactNode {
  const { message } = dryRun
  const body = draft.body ?? ''
  const foreign = [...new Set(body)].filter((character) => !gsm.has(character))
  return (
    <section className="panel" aria-live="polite">
      <header>
        <h2>Estimate</h2>
        <span className="muted">{[...body].length} characters</span>
      </header>
      <dl className="figures panel-body">
        <div>
          <dt>Parts</dt>
          <dd>{message?.numberOfParts ?? '–'}</dd>
        </div>
        <div>
          <dt>Credits</dt>
          <dd>{message?.creditCost ?? '–'}</dd>
        </div>
        <div>
          <dt>Encoding</dt>
          <dd>{message?.encoding ?? '–'}</dd>
        </div>
        <div>
          <dt>Carrier</dt>
          <dd>{message?.carrier ?? '–'}</dd>
        </div>
      </dl>
      {message === null ? <p className="panel-body muted">Enter recipient and text.</p> : null}
      {message?.encoding === 'UNICODE' && foreign.length > 0 ? (
        <p className="panel-body">
          These characters force UNICODE, with 70 instead of 160 characters in a part:{' '}
          {foreign.slice(0, namedMax).map((character) => (
            <mark key={character}>{character}</mark>
          ))}
        </p>
      ) : null}
    </section>
  )
}
