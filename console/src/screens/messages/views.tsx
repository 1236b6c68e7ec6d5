import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** The usual questions, each an address like any other view. */
const views: readonly (readonly [
  title: string,
  search: Readonly<Record<string, string | string[]>>,
])[] = [
  ['All', {}],
  ['Failed', { 'status.type': 'FAILED' }],
  ['In progress', { 'status.type': ['ACCEPTED', 'SENT'] }],
  ['Delivered', { 'status.type': 'DELIVERED' }],
  ['Scheduled', { 'status.type': 'SCHEDULED' }],
  ['Received', { type: 'RECEIVED' }],
]

/** Views of the messages that most people need. */
export function Views(): ReactNode {
  return (
    <nav className="tabs" aria-label="Views">
      {views.map(([title, search]) => (
        <Link
          key={title}
          to="/messages"
          search={search}
          activeOptions={{ exact: true, includeSearch: true }}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}
