import type { ReactNode } from 'react'

/** Shows a text of a declaration, whose words in backticks are code. */
export function Described({ text }: { text: string }): ReactNode {
  return text.split('`').map((part, index) =>
    // Every second part stands between two backticks.
    index % 2 === 0 ? part : <code key={`${index}${part}`}>{part}</code>,
  )
}
