import type { ReactNode } from 'react'
import { countText } from '../../ui/numbers.ts'

/** What happens to contacts that exist already. */
export type Existing = 'UPDATE' | 'KEEP'

interface Props {
  readonly count: number
  /** The contacts join a group, those that exist as well. */
  readonly isGroup: boolean
  readonly value: Existing
  readonly onChange: (value: Existing) => void
}

/** Asks what happens to contacts that have a number of the list. */
export function ExistingChoice({ count, isGroup, value, onChange }: Props): ReactNode {
  if (count === 0) return null
  return (
    <div className="field">
      <label htmlFor="existing">
        {countText(count, 'number belongs', 'numbers belong')} to a contact already
      </label>
      <select
        id="existing"
        className="input"
        value={value}
        onChange={({ target }) => onChange(target.value === 'KEEP' ? 'KEEP' : 'UPDATE')}
      >
        <option value="UPDATE">{isGroup ? 'Update and add them' : 'Update them'}</option>
        <option value="KEEP">{isGroup ? 'Add them unchanged' : 'Skip them'}</option>
      </select>
      <p className="hint">
        An update changes the name and attributes that the list has, and adds its tags.
      </p>
    </div>
  )
}
