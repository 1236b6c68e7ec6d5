import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { defaultAlphabet, defaultExtension } from '../../../../src/encoding/septets.ts'
import { client } from '../../api/client.ts'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { countText } from '../../ui/numbers.ts'
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
  const carrier = useCarrierName(message?.carrier ?? null)
  const foreign = [...new Set(body)].filter((character) => !gsm.has(character))
  return (
    <section className="panel" aria-live="polite">
      <header>
        <h2>Estimate</h2>
        <span className="muted">{countText([...body].length, 'character')}</span>
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
          <dd>{carrier ?? '–'}</dd>
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

/** Returns the name of a carrier; its identifier if it has none, or if the key may not read it. */
function useCarrierName(id: string | null): string | null {
  const mayRead = usePermission(useCollection('carriers')?.scopes.get)
  const { data } = useQuery({
    queryKey: ['carrier-name', id],
    queryFn: async ({ signal }) => (await client.carriers.get(id ?? '', { signal })).name,
    enabled: mayRead && id !== null,
    staleTime: 60_000,
  })
  return data ?? id
}
