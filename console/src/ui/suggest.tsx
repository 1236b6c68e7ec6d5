import { useState, type HTMLAttributes, type ReactNode } from 'react'
import { Autocomplete, Input, Menu, MenuItem, SearchField } from 'react-aria-components'
import { Icon, type IconName } from './icon.tsx'

/** A suggestion below an input. */
export interface Suggestion {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly icon?: IconName
}

/**
 * Whether the suggestions are closed. An input that was completed is empty again: its suggestions would
 * cover the result.
 */
type Closed = 'no' | 'if empty' | 'yes'

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
  const { isOpen, place, setClosed } = useOpening(props)
  return (
    <div className={props.alwaysOpen === true ? 'suggest open' : 'suggest'} {...place}>
      <Autocomplete
        inputValue={props.text}
        onInputChange={(text) => {
          if (text !== props.text) setClosed('no')
          props.onText(text)
        }}
        disableAutoFocusFirst={props.onSubmit !== undefined}
      >
        <SearchField
          aria-label={props.label}
          className="suggest-field"
          autoFocus={props.alwaysOpen === true}
          onSubmit={(text) => {
            setClosed('if empty')
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
              setClosed('if empty')
              props.onChoose(id)
            }}
          />
        ) : null}
      </Autocomplete>
    </div>
  )
}

interface Opening {
  readonly isOpen: boolean
  /** What the place of input and suggestions listens to. */
  readonly place: HTMLAttributes<HTMLDivElement>
  readonly setClosed: (closed: Closed) => void
}

/** Opens the suggestions while the input has the focus, until it is completed or Escape closes them. */
function useOpening({ alwaysOpen = false, text, suggestions }: Props): Opening {
  const [hasFocus, setFocus] = useState(false)
  const [closed, setClosed] = useState<Closed>('no')
  const isWanted = hasFocus && closed !== 'yes' && !(closed === 'if empty' && text === '')
  const isOpen = alwaysOpen || (isWanted && suggestions.length > 0)
  const place: Opening['place'] = {
    onFocus: () => setFocus(true),
    onBlur: ({ currentTarget, relatedTarget }) => {
      if (!currentTarget.contains(relatedTarget)) setFocus(false)
    },
    onPointerDown: () => setClosed('no'),
    onKeyDownCapture: (event) => {
      if (alwaysOpen) return
      if (event.key === 'ArrowDown') setClosed('no')
      if (event.key !== 'Escape' || !isOpen) return
      // The next Escape clears the input.
      event.preventDefault()
      event.stopPropagation()
      setClosed('yes')
    },
  }
  return { isOpen, place, setClosed }
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
