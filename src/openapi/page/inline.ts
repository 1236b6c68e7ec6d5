import { markup, type Markup } from './markup.ts'

/** One line of Markdown: code spans and text. */
export function inline(text: string): Markup {
  const parts = text.split(/`([^`]+)`/)
  return markup`${parts.map((part, index) =>
    index % 2 === 1 ? markup`<code>${part}</code>` : part.replaceAll('&lt;', '<'),
  )}`
}
