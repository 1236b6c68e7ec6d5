import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Renders a token of a page. */
type Render = (...given: never[]) => string

/** The part of markdown-it that renders texts. */
interface Rendering {
  readonly renderer: { readonly rules: Record<string, Render | undefined> }
}

/**
 * Lets pages show placeholders of carriers, which Vue would evaluate: character references are no delimiters.
 * Other delimiters would reach the templates of VitePress, too. Blocks of code need nothing.
 */
export function keepBraces({ renderer: { rules } }: Rendering): void {
  for (const name of ['text', 'code_inline']) {
    const render = rules[name]
    if (render === undefined) throw new Error(`markdown-it has no rule ${name}`)
    rules[name] = (...given) => render(...given).replaceAll('{{', '&#123;&#123;')
  }
}

/** Returns the pages of a built site with a template that was not evaluated. */
export function unevaluated(built: string): readonly string[] {
  return globSync('**/*.html', { cwd: built }).filter((page) => {
    const html = readFileSync(join(built, page), 'utf8')
    return html.replaceAll(/<(script|code)\b.*?<\/\1>/gs, '').includes('{{')
  })
}
