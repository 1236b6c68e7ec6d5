import { useRef, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../ui/button.tsx'
import { offeredPlaceholders } from '../recipients/placeholders.ts'
import type { RecipientList } from '../recipients/read-recipients.ts'

interface Props {
  readonly value: string
  readonly list: RecipientList | null
  readonly onChange: (value: string) => void
}

/** The text of a broadcast, with a button for each placeholder that the list has values for. */
export function BodyInput({ value, list, onChange }: Props): ReactNode {
  const area = useRef<HTMLTextAreaElement>(null)
  const insert = (placeholder: string): void => {
    const { selectionStart: begin, selectionEnd: end } = area.current ?? endOf(value)
    flushSync(() => onChange(value.slice(0, begin) + placeholder + value.slice(end)))
    area.current?.focus()
    area.current?.setSelectionRange(begin + placeholder.length, begin + placeholder.length)
  }
  const offered = offeredPlaceholders(list?.recipients ?? [])
  return (
    <div className="field">
      <label htmlFor="broadcast-body">
        Text <span className="required">(required)</span>
      </label>
      <textarea
        ref={area}
        id="broadcast-body"
        className="input text-input"
        aria-describedby="broadcast-body-hint"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      {offered.length === 0 ? null : (
        <div className="row wrap" role="group" aria-label="Insert a placeholder">
          {offered.map((placeholder) => (
            <Button key={placeholder} small onPress={() => insert(placeholder)}>
              {placeholder}
            </Button>
          ))}
        </div>
      )}
      <p className="hint" id="broadcast-body-hint">
        {offered.length === 0 ? (
          <>
            Placeholders: <code>{'{{name}}'}</code>, <code>{'{{attributes.city}}'}</code>.{' '}
          </>
        ) : null}
        <code>{'{{attributes.city|your town}}'}</code> has a text for recipients without a value.
      </p>
    </div>
  )
}

function endOf({ length }: string): {
  readonly selectionStart: number
  readonly selectionEnd: number
} {
  return { selectionStart: length, selectionEnd: length }
}
