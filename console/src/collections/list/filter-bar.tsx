import { useState, type ReactNode } from 'react'
import type { CollectionDescription } from '../../api/collection.ts'
import { Button } from '../../ui/button.tsx'
import { Suggest } from '../../ui/suggest.tsx'
import { collectionTitle } from '../nouns.ts'
import { conditionText, parseCondition, suggestFilters } from './filter-text.ts'
import type { ListState } from './list-state.ts'

interface Props {
  readonly collection: CollectionDescription
  readonly state: ListState
  readonly onChange: (state: ListState) => void
  /** What else can be done with the conditions. */
  readonly children?: ReactNode
}

/** The conditions of a list, and an input that suggests further ones. */
export function FilterBar({ collection, state, onChange, children }: Props): ReactNode {
  const [text, setText] = useState('')
  const submit = (given: string): void => {
    const condition = parseCondition(given, collection)
    if (condition !== null) onChange({ ...state, filters: [...state.filters, condition] })
    else if (collection.search !== null) onChange({ ...state, search: given.trim() })
    else return
    setText('')
  }
  const choose = (id: string): void => {
    if (id.startsWith('search:')) submit(id.slice('search:'.length))
    else if (id.startsWith('=')) submit(id.slice(1))
    else setText(id)
  }
  return (
    <div className="filter-bar">
      <Suggest
        label={`Filter ${collectionTitle(collection).toLowerCase()}`}
        placeholder={collection.search === null ? 'Filter…' : 'Search or filter…'}
        icon="filter"
        text={text}
        suggestions={suggestFilters(text, collection, Date.now())}
        onText={setText}
        onChoose={choose}
        onSubmit={submit}
      />
      <Conditions state={state} onChange={onChange}>
        {children}
      </Conditions>
    </div>
  )
}

function Conditions({ state, onChange, children }: Omit<Props, 'collection'>): ReactNode {
  if (state.filters.length === 0 && state.search === '') return null
  const without = (index: number): void =>
    onChange({ ...state, filters: state.filters.filter((_, other) => other !== index) })
  return (
    <ul className="conditions" aria-label="Conditions">
      {state.search === '' ? null : (
        <Chip text={`“${state.search}”`} onRemove={() => onChange({ ...state, search: '' })} />
      )}
      {state.filters.map((condition, index) => (
        <Chip
          key={condition.join('=')}
          text={conditionText(condition)}
          onRemove={() => without(index)}
        />
      ))}
      <li>
        <Button small look="plain" onPress={() => onChange({ ...state, filters: [], search: '' })}>
          Clear
        </Button>
        {children}
      </li>
    </ul>
  )
}

function Chip({ text, onRemove }: { text: string; onRemove: () => void }): ReactNode {
  return (
    <li className="chip">
      {text}
      <Button small look="plain" icon="close" iconOnly onPress={onRemove}>
        {`Remove ${text}`}
      </Button>
    </li>
  )
}
