import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Form } from 'react-aria-components'
import type { FieldDescription } from '../../api/field.ts'
import { explain, type Failure } from '../../api/problem.ts'
import { Button } from '../../ui/button.tsx'
import { FaultNotice } from '../../ui/notice.tsx'
import { notSavedText } from './field-faults.ts'
import { FieldInput } from './field-input.tsx'

/** The content of a form by field. An absent field was not filled in. */
export type Draft = Readonly<Record<string, unknown>>

interface Props {
  readonly fields: readonly FieldDescription[]
  readonly initial: Draft
  /** The verb and its object: `Create webhook`. */
  readonly action: string
  readonly onSubmit: (draft: Draft, onChange: (draft: Draft) => void) => Promise<void>
  readonly onCancel: () => void
  /** Shown above the fields: what the draft means, or drafts to begin with. */
  readonly above?: (draft: Draft, onChange: (draft: Draft) => void) => ReactNode
}

/** A form with the texts and limits of the declaration. Faults appear at their fields. */
export function CollectionForm(props: Props): ReactNode {
  const { fields, initial, action, onSubmit, onCancel, above } = props
  const [draft, setDraft] = useState<Draft>(initial)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (): Promise<void> => {
    setBusy(true)
    setFailure(null)
    try {
      await onSubmit(draft, setDraft)
    } catch (error) {
      setFailure(explain(error))
    } finally {
      setBusy(false)
    }
  }
  const faults = failure?.faults ?? new Map<string, string>()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => focusFirstFault(form.current), [failure])
  return (
    <Form
      ref={form}
      className="stack form"
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {failure === null ? null : <FormFailure failure={failure} fields={fields} />}
      {above?.(draft, setDraft)}
      {[...fields].sort(requiredFirst).map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          pointer={`/${field.name}`}
          value={draft[field.name]}
          faults={faults}
          onChange={(value) => setDraft({ ...draft, [field.name]: value })}
        />
      ))}
      <div className="dialog-foot form-foot">
        <Button onPress={onCancel}>Cancel</Button>
        <Button type="submit" look="primary" isDisabled={isBusy}>
          {action}
        </Button>
      </div>
    </Form>
  )
}

interface FailureProps {
  readonly failure: Failure
  readonly fields: readonly FieldDescription[]
}

/** Faults of fields are shown at them; others here. */
function FormFailure({ failure, fields }: FailureProps): ReactNode {
  const names = new Set(fields.map(({ name }) => name))
  const others = [...failure.faults].filter(([pointer]) => !names.has(pointer.split('/')[1] ?? ''))
  const detail =
    failure.faults.size === 0
      ? failure.detail
      : others.length === 0
        ? 'Correct the marked fields.'
        : others.map(([pointer, text]) => `${pointer.slice(1)} ${text}`).join(' · ')
  return <FaultNotice {...failure} title={notSavedText(failure.faults.size)} detail={detail} />
}

/** Leads to the first fault, so that the next key corrects it. */
function focusFirstFault(form: HTMLFormElement | null): void {
  const place = form?.querySelector('.fault')?.closest('.field, fieldset')
  place?.querySelector<HTMLElement>('input, select, textarea, button')?.focus()
}

function requiredFirst(one: FieldDescription, other: FieldDescription): number {
  return Number(other.required) - Number(one.required)
}
