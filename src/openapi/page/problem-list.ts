import { problems, type ProblemName } from '../../core/problem.ts'
import { markup, type Markup } from './markup.ts'

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
