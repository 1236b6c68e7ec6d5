import type { ReactNode } from 'react'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { countText } from '../../ui/numbers.ts'
import { TaskProgress } from '../../ui/task-progress.tsx'
import { isReady, type BroadcastDraft } from './broadcast-draft.ts'
import { sendStateOf, storedText } from './send-state.ts'
import type { EstimatedDraft } from './use-estimate.ts'

interface Props {
  readonly draft: BroadcastDraft
  readonly estimated: EstimatedDraft
  /** How many contacts are stored; null if none are being stored. */
  readonly stored: number | null
  readonly onSend: () => Promise<void>
}

/** Starts a broadcast, unless nobody would get a message. Its dialog shows what is stored before. */
export function SendButton({ draft, estimated, stored, onSend }: Props): ReactNode {
  const count = draft.list?.recipients.length ?? 0
  const { canSend, note } = sendStateOf(draft, estimated.estimate)
  const isFaulty = (estimated.failure?.faults.size ?? 0) > 0
  const reason = isFaulty ? 'Correct the fault above.' : note
  const whom = draft.group === '' ? countText(count, 'recipient') : 'the group'
  const alsoStored = storedText(draft)
  return (
    <div className="stack tight">
      {reason === '' ? null : <p role="status">{reason}</p>}
      <div>
        <ConfirmButton
          isSafe
          action={isReady(draft) ? `Send to ${whom}` : 'Send broadcast'}
          icon="broadcasts"
          isDisabled={!canSend || isFaulty}
          onConfirm={onSend}
        >
          {stored === null ? (
            <div className="stack">
              <p>Messages leave immediately. You can pause the broadcast on its page.</p>
              {note === '' ? null : <p>{note}</p>}
              {alsoStored === '' ? null : <p>{alsoStored}</p>}
            </div>
          ) : (
            <TaskProgress label="Contacts stored" done={stored} all={count} />
          )}
        </ConfirmButton>
      </div>
    </div>
  )
}
