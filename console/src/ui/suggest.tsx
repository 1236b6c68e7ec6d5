import { useState, type FocusEvent, type ReactNode } from 'react'
import { Autocomplete, Input, Menu, MenuItem, SearchField } from 'react-aria-components'
import { Icon, type IconName } from './icon.tsx'

/** A suggestion below an input. */
export interface Suggestion {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly icon?: IconName
}

interface Props {
  readonly label: string
  readonly placeholder: string
  readonly icon: IconName
  readonly text: string
  readonly suggestions: readonly Suggestion[]
  /** Keeps the suggestions in view without focus. */
  readonly alwaysOpen?: boolean
  readonly onText: (text: string) => void
  readonly onChoose: (id: string) => void
  readonly onSubmit?: (text: string) => void
}

/** An input with suggestions, used by keyboard alone or by pointer. */
export function Suggest(props: Props): ReactNode {
  const [hasFocus, setFocus] = useState(false)
  const blur = (event: FocusEvent): void => {
    if (!event.currentTarget.contains(event.relatedTarget)) setFocus(false)
  }
  // An input that was completed is empty again: its suggestions would cover the result.
  const [isDone, setDone] = useState(false)
  const isWanted = hasFocus && !(isDone && props.text === '')
  const isOpen = props.alwaysOpen === true || (isWanted && props.suggestions.length > 0)
  return (
    <div
      className={props.alwaysOpen === true ? 'suggest open' : 'suggest'}
      onFocus={() => setFocus(true)}
      onBlur={blur}
      onPointerDown={() => setDone(false)}
      onKeyDown={() => setDone(false)}
    >
      <Autocomplete
        inputValue={props.text}
        onInputChange={props.onText}
        disableAutoFocusFirst={props.onSubmit !== undefined}
      >
        <SearchField
          aria-label={props.label}
          className="suggest-field"
          autoFocus={props.alwaysOpen === true}
          onSubmit={(text) => {
            setDone(true)
            props.onSubmit?.(text)
          }}
        >
          <Icon name={props.icon} size={14} />
          <Input placeholder={props.placeholder} />
        </SearchField>
        {isOpen ? (
          <Suggestions
            {...props}
            onChoose={(id) => {
              setDone(true)
              props.onChoose(id)
            }}
          />
        ) : null}
      </Autocomplete>
    </div>
  )
}

function Suggestions({ label, suggestions, onChoose }: Props): ReactNode {
  return (
    <Menu
      aria-label={`${label}: suggestions`}
      className="popover suggestions"
      items={suggestions}
      renderEmptyState={() => <p className="option muted">Nothing matches.</p>}
      onAction={(id) => onChoose(String(id))}
    >
      {(one) => (
        <MenuItem id={one.id} textValue={one.label} className="option">
          {one.icon === undefined ? null : <Icon name={one.icon} size={14} />}
          {one.label}
          {one.hint === undefined ? null : <small>{one.hint}</small>}
        </MenuItem>
      )}
    </Menu>
  )
}
