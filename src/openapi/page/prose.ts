import { markup, type Markup } from './markup.ts'

/**
 * Markdown as far as the document uses it: headings of the second level, lists, paragraphs, code
 * spans. Headings get the level that they have on the page.
 */
export function prose(text: string): Markup {
  const blocks = text.split(/\n{2,}/).map((block) => block.trim())
  return markup`${blocks.filter((block) => block !== '').map(renderBlock)}`
}

/** One line of Markdown: code spans and text. */
export function inline(text: string): Markup {
  const parts = text.split(/`([^`]+)`/)
  return markup`${parts.map((part, index) =>
    index % 2 === 1 ? markup`<code>${part}</code>` : part.replaceAll('&lt;', '<'),
  )}`
}

function renderBlock(block: string): Markup {
  const heading = /^## (.+)$/.exec(block)
  if (heading !== null) {
    const title = heading[1] ?? ''
    return markup`<h2 id="${anchor(title)}">${inline(title)}</h2>\n`
  }
  if (block.startsWith('- ')) {
    const items = block.split(/^- /m).filter((item) => item !== '')
    return markup`<ul>${items.map((item) => markup`<li>${inline(item.trim())}</li>`)}</ul>\n`
  }
  return markup`<p>${inline(block)}</p>\n`
}

/** The headings of a text, with where they stand. */
export function headings(text: string): readonly { readonly title: string; readonly id: string }[] {
  return [...text.matchAll(/^## (.+)$/gm)].map(([, title = '']) => ({ title, id: anchor(title) }))
}

/** A place on the page that goes with a name. */
export function anchor(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
