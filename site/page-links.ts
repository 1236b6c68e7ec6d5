import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

/** The parts of markdown-it that the site uses. */
interface Markdown {
  readonly core: {
    readonly ruler: { push(name: string, rule: (state: PageState) => void): void }
  }
}

interface PageState {
  readonly tokens: readonly Token[]
  readonly env: { readonly relativePath?: string }
}

interface Token {
  readonly type: string
  readonly children: readonly Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

/** Files that pages link to and that are no pages, by their paths in the project. */
const linked = new Set<string>()

/** Makes links lead to what the site has: indexes for READMEs, and copies of other files. */
export function linkInSite(markdown: Markdown): void {
  markdown.core.ruler.push('link-in-site', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href !== null) token.attrSet('href', hrefInSite(href, env.relativePath ?? ''))
    }
  })
}

/** Returns the target of a page's link in the site. A source would be a download: it becomes a text. */
export function hrefInSite(href: string, page: string): string {
  if (/^([a-z]+:|#)/.test(href)) return href
  if (/\.md(#|$)/.test(href)) return href.replace(/README\.md(?=#|$)/, 'index.md')
  const file = normalize(join(dirname(page), href))
  linked.add(file)
  return `${href}.txt`
}

/** Copies the linked files to the paths of their links. */
export function copyLinkedFiles(root: string, target: string): void {
  for (const file of linked) {
    const copy = join(target, `${file}.txt`)
    mkdirSync(dirname(copy), { recursive: true })
    copyFileSync(join(root, file), copy)
  }
}

/** Returns the anchor of a heading, as GitHub makes it: pages link to those. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}
