import type { JsonValue } from '../core/json.ts'
import { type ProblemName, problems } from '../core/problem.ts'
import { markup, type Markup, shell } from './html-page.ts'
import { problemExample } from './paths/problem-responses.ts'

/** The page of a kind of problem, for people: what it means and what to do. */
export function problemPage(name: ProblemName): string {
  const [status, title, cure] = problems[name]
  return shell({
    title: `${title} · Nuncio`,
    side: side(name),
    content: markup`<div class="introduction">
<h1><span class="status">${status}</span> ${title}</h1>
<p class="cure">${inline(cure)}</p>
<p>An example response:</p>
${jsonSample(problemExample(name))}
<p><code>detail</code> says what is wrong with the request at hand. <code>requestId</code> is what the log has
it under: give it to whoever runs this installation when you ask about it.</p>
</div>`,
  })
}

function side(name: ProblemName): Markup {
  return markup`<div class="side">
<header><a class="brand" href="/docs">Nuncio</a> <a class="open" href="#contents">Problems</a></header>
<nav id="contents" aria-label="Problems" tabindex="-1">
<a class="close" href="#content">Close</a>
<ul><li><a href="/docs">Reference</a></li></ul>
${problemLinks(name)}
</nav>
</div>`
}

/** One line of Markdown: code spans and text. */
function inline(text: string): Markup {
  const parts = text.split(/`([^`]+)`/)
  return markup`${parts.map((part, index) =>
    index % 2 === 1 ? markup`<code>${part}</code>` : part.replaceAll('&lt;', '<'),
  )}`
}

const names = Object.keys(problems) as ProblemName[]

/** The way around among the pages of problems. */
function problemLinks(current: ProblemName): Markup {
  const links = names.map((name) => {
    const [status, title] = problems[name]
    const mark = name === current ? markup` aria-current="page"` : null
    const label = markup`<span class="status">${status}</span> ${title}`
    return markup`<li><a href="/problems/${name}"${mark}>${label}</a></li>\n`
  })
  return markup`<ul>${links}</ul>`
}

/** Returns JSON over several lines, with separate marks for names, texts and other values. */
function jsonSample(value: JsonValue): Markup {
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
