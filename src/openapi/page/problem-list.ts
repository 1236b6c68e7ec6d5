import { problems, type ProblemName } from '../../core/problem.ts'
import { markup, type Markup } from './markup.ts'
import { inline } from './prose.ts'

const names = Object.keys(problems) as ProblemName[]

/** The way around among the pages of problems. */
export function problemLinks(current: ProblemName): Markup {
  const links = names.map((name) => {
    const [status, title] = problems[name]
    const mark = name === current ? markup` aria-current="page"` : null
    const label = markup`<span class="status">${status}</span> ${title}`
    return markup`<li><a href="/problems/${name}"${mark}>${label}</a></li>\n`
  })
  return markup`<ul>${links}</ul>`
}

/** All problem types with their statuses and cures; the first of a status can be reached by it. */
export function problemList(): Markup {
  const rows = names.map((name, index) => {
    const [status, title, cure] = problems[name]
    const isFirst = names.findIndex((each) => problems[each][0] === status) === index
    return markup`
<div${isFirst ? markup` id="status-${status}"` : null}><dt><span class="status">${status}</span>
<a href="/problems/${name}"><code>${name}</code></a></dt>
<dd><p>${title}. ${inline(cure)}</p></dd></div>`
  })
  return markup`<dl class="problems">${rows}</dl>`
}
