import type { JsonValue } from '../../core/json.ts'
import { markup, type Markup } from './markup.ts'

/** Returns JSON over several lines, with separate marks for names, texts and other values. */
export function jsonSample(value: JsonValue): Markup {
  const tokens = JSON.stringify(value, null, 2).split(tokenForm)
  return markup`<pre tabindex="0"><code>${tokens.map(token)}</code></pre>`
}

/** Strings, those before a colon with it, and words; the rest stays unmarked. */
const tokenForm = /("(?:\\.|[^"\\])*"(?::)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*)/

function token(text: string, index: number): Markup | string {
  if (index % 2 === 0) return text
  if (text.endsWith(':')) return markup`<span class="json-name">${text.slice(0, -1)}</span>:`
  return text.startsWith('"')
    ? markup`<span class="json-text">${text}</span>`
    : markup`<span class="json-value">${text}</span>`
}
