import { hash } from 'node:crypto'
import { pageStyle } from './page-style.ts'

/** The parts of every page. */
interface PageParts {
  readonly title: string
  /** The navigation: the head of the page and its links. */
  readonly side: Markup
  readonly content: Markup
}

/** A whole page, with its style in it and nothing to fetch. */
export function shell({ title, side, content }: PageParts): string {
  const page = markup`<!doctype html>
<html lang="en">
${head(title, markup`<style>${{ markup: pageStyle }}</style>`)}
<body>
<a class="skip" href="#content">Skip to the content</a>
${side}
<main id="content" tabindex="-1">
${content}
</main>
</body>
</html>
`
  return page.markup
}

/** The head of every page. */
export function head(title: string, style: Markup | null = null): Markup {
  return markup`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
${style}</head>`
}

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" ' +
  'fill="#0f5c5c"/><path d="M4.5 12V4h1.6l3.9 5V4h1.5v8H10L6 6.9V12z" fill="#fff"/></svg>'

/**
 * Returns the headers of a page that no site may frame, and that may load what its policy names (CSP level
 * 3).
 */
export function htmlHeaders(allowed: readonly string[]): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      ...allowed,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  }
}

/** The headers of a page of a problem: only its inline style applies. */
export const pageHeaders = htmlHeaders([
  `style-src 'sha256-${hash('sha256', pageStyle, 'base64')}'`,
  'img-src data:',
])

/** Text of HTML that was made here and is safe to send. */
export interface Markup {
  readonly markup: string
}

/** Allowed values in a template: texts are escaped, markup is not, null and undefined add nothing. */
type Part = Markup | string | number | null | undefined | readonly Part[]

/** Creates markup from a template of HTML. Values are escaped unless they are markup themselves. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: String.raw({ raw: strings }, ...parts.map(written)) }
}

function written(part: Part): string {
  if (part === null || part === undefined) return ''
  if (typeof part === 'string') return escaped(part)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(written).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}
