import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FieldDescription } from '../api/field.ts'
import { Badge, OutcomeBadge } from '../ui/badge.tsx'
import { shortId } from '../ui/copy.tsx'
import { durationText, numberText } from '../ui/numbers.ts'
import { Time } from '../ui/time.tsx'

/** Fields whose words name a state. */
const states = /^(state|status|type)$/

interface Props {
  readonly field: FieldDescription
  readonly value: unknown
  /** False inside of another link. */
  readonly isLink?: boolean
}

/** Shows a value by the kind of its field. */
export function Value({ field, value, isLink = true }: Props): ReactNode {
  if (value === null || value === undefined || value === '') return <span className="muted">–</span>
  switch (field.kind) {
    case 'time':
      return <Time value={String(value)} />
    case 'boolean':
      return value === true ? 'Yes' : 'No'
    case 'integer':
    case 'number':
      return field.name.endsWith('Ms') ? durationText(Number(value)) : numberText(Number(value))
    case 'choice':
      return <Choice field={field} value={String(value)} />
    case 'list':
      return <ListValue field={field} value={value} />
    case 'object':
    case 'map':
    case 'json':
      return <code>{JSON.stringify(value)}</code>
    case 'text':
      return <TextValue field={field} value={String(value)} isLink={isLink} />
  }
}

/** Choices whose words say little, by field. */
const choiceTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  reason: { API: 'Created by a client', KEYWORD: 'Sent a keyword such as STOP' },
}

function choiceText(field: string, value: string): string {
  return choiceTexts[field]?.[value] ?? value
}

function Choice({ field, value }: { field: FieldDescription; value: string }): ReactNode {
  if (field.name === 'outcome') return <OutcomeBadge outcome={value} />
  return states.test(field.name) ? <Badge state={value} /> : choiceText(field.name, value)
}

function ListValue({ field, value }: Pick<Props, 'field' | 'value'>): ReactNode {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (items.length === 0) return <span className="muted">–</span>
  if (field.name === 'messageIds') return <MessageLinks ids={items.map(String)} />
  const isPlain = items.every((item) => typeof item !== 'object')
  return isPlain ? items.join(', ') : <code>{JSON.stringify(items)}</code>
}

function MessageLinks({ ids }: { ids: readonly string[] }): ReactNode {
  return (
    <span className="row wrap">
      {ids.map((id) => (
        <Link key={id} to={`/messages/${id}`}>
          {shortId(id)}
        </Link>
      ))}
    </span>
  )
}

/** Fields that name an instance of another collection. */
const references: Readonly<Record<string, string>> = {
  carrier: 'carriers',
  account: 'accounts',
  group: 'groups',
  relatedSentMessageId: 'messages',
}

function TextValue({ field, value, isLink }: Props & { readonly value: string }): ReactNode {
  const collection = references[field.name]
  if (collection !== undefined && isLink === true) {
    return <Link to={`/${collection}/${value}`}>{shortId(value)}</Link>
  }
  if (field.name === 'id' && /^[A-Z]+\.\w+$/.test(value)) {
    return <Badge state={value} />
  }
  return /^[a-zA-Z]+_[0-9a-z]{26}$/.test(value) ? (
    <code title={value}>{shortId(value)}</code>
  ) : (
    value
  )
}
