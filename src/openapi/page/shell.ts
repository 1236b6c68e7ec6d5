import { markup, type Markup } from './markup.ts'
import { pageStyle } from './page-style.ts'

/** What every page is made of. */
export interface PageParts {
  readonly title: string
  /** What stands beside the content: the head of the page and the way around in it. */
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
