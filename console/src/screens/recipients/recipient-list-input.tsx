import { useRef, useState, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { countText, numberText } from '../../ui/numbers.ts'
import { useContactLimits } from './contact-limits.ts'
import { lineRange } from './line-range.ts'
import { readRecipients, type LineFault, type RecipientList } from './read-recipients.ts'

interface Props {
  readonly list: RecipientList | null
  readonly onChange: (list: RecipientList) => void
  /** What a line is, in the count of lines. */
  readonly noun?: 'recipient' | 'contact'
}

/** A list of recipients from a file or the clipboard, checked line by line. */
export function RecipientListInput({ list, onChange, noun = 'recipient' }: Props): ReactNode {
  const [text, setText] = useState('')
  const limits = useContactLimits()
  const area = useRef<HTMLTextAreaElement>(null)
  const read = (given: string): void => {
    setText(given)
    onChange(readRecipients(given, limits))
  }
  return (
    <>
      <div className="field">
        <label htmlFor="csv-file">CSV file</label>
        <input
          id="csv-file"
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          onChange={({ target }) => void target.files?.[0]?.text().then(read)}
        />
      </div>
      <div className="field">
        <label htmlFor="csv-text">Or paste it</label>
        <textarea
          ref={area}
          id="csv-text"
          className="input mono"
          spellCheck={false}
          placeholder={'name,address,city\nAda,+447700900123,London'}
          value={text}
          onChange={({ target }) => read(target.value)}
        />
        <p className="hint">
          One number on each line, or CSV with titles in the first line. Other columns become
          attributes.
        </p>
      </div>
      {list === null ? null : (
        <Summary list={list} noun={noun} onSelect={(line) => selectLine(area.current, line)} />
      )}
    </>
  )
}

/** Shows a line in the middle of its text box. */
function selectLine(area: HTMLTextAreaElement | null, line: number): void {
  if (area === null) return
  const { begin, end, place } = lineRange(area.value, line)
  area.focus()
  area.setSelectionRange(begin, end)
  area.scrollTop = place * area.scrollHeight - area.clientHeight / 2
}

interface SummaryProps {
  readonly list: RecipientList
  readonly noun: string
  readonly onSelect: (line: number) => void
}

function Summary({ list: { recipients, faults }, noun, onSelect }: SummaryProps): ReactNode {
  const count = countText(recipients.length, noun)
  return (
    <div role="status" className="stack">
      <p>
        {faults.length === 0
          ? `${count}.`
          : `${count}, ${countText(faults.length, 'line is', 'lines are')} left out:`}
      </p>
      <LineFaults faults={faults} onSelect={onSelect} />
    </div>
  )
}

/** Faults shown; the number says how many there are. */
const faultsShown = 20

interface LineFaultsProps {
  readonly faults: readonly LineFault[]
  /** Shows a line in its text, if that is in view. */
  readonly onSelect?: (line: number) => void
}

/** The lines that are left out, each with its cause. */
export function LineFaults({ faults, onSelect }: LineFaultsProps): ReactNode {
  if (faults.length === 0) return null
  return (
    <ul className="line-faults">
      {faults.slice(0, faultsShown).map(({ line, fault, text }) => (
        <li key={line}>
          {onSelect === undefined ? (
            <strong>Line {line}</strong>
          ) : (
            <Button small look="plain" onPress={() => onSelect(line)}>
              {`Line ${line}`}
            </Button>
          )}{' '}
          {fault}: <code>{text}</code>
        </li>
      ))}
      {faults.length > faultsShown ? (
        <li>and {numberText(faults.length - faultsShown)} more</li>
      ) : null}
    </ul>
  )
}
