import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { countText, numberText } from '../../ui/numbers.ts'
import type { LineFault } from './read-recipients.ts'
import { LineFaults } from './recipient-list-input.tsx'
import type { StoreResult } from './store-contacts.ts'

interface Props {
  readonly result: StoreResult
  /** The lines that were left out before. */
  readonly faults: readonly LineFault[]
  readonly onClose: () => void
}

/** What an import did, and which lines it left out. */
export function ImportResult({ result, faults, onClose }: Props): ReactNode {
  const { created, updated, kept, refused } = result
  const left = [...faults, ...refused].toSorted((one, other) => one.line - other.line)
  const parts = [
    countText(created, 'contact created', 'contacts created'),
    ...(updated === 0 ? [] : [`${numberText(updated)} updated`]),
    ...(kept === 0 ? [] : [`${numberText(kept)} unchanged`]),
    ...(left.length === 0 ? [] : [countText(left.length, 'line left out', 'lines left out')]),
  ]
  return (
    <div className="stack" role="status">
      <p>
        <strong>{parts.join(', ')}.</strong>
      </p>
      <LineFaults faults={left} />
      <div className="dialog-foot form-foot">
        <Button look="primary" onPress={onClose}>
          Done
        </Button>
      </div>
    </div>
  )
}
