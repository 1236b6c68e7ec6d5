import { problems, type ProblemName } from '../core/problem.ts'
import { jsonSample } from './page/json-sample.ts'
import { markup, type Markup } from './page/markup.ts'
import { problemLinks } from './page/problem-list.ts'
import { inline } from './page/inline.ts'
import { shell } from './page/shell.ts'
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
