import type { OpenApiOperation, OpenApiResponse } from '../document.ts'
import type { Lookup } from './lookup.ts'
import { markup, type Markup } from './markup.ts'
import { inline } from './prose.ts'

/** The answers of an operation: what each success says, then the refusals in one line. */
export function answerList(operation: OpenApiOperation, lookup: Lookup): Markup {
  const all = Object.entries(operation.responses)
    .map(([status, value]) => [status, lookup.response(value)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  const refused = all.filter(([, response]) => isProblem(response))
  const rest = all.filter(([, response]) => !isProblem(response))
  return markup`<h4>Answers</h4>
<dl class="answers">${rest.map(([status, response]) => answer(status, response, lookup))}</dl>${
    refused.length === 0
      ? null
      : markup`
<p class="refusals">Refusals: ${refused.map(
          ([status]) => markup`<a href="#status-${status}">${status}</a> `,
        )}</p>`
  }`
}

function isProblem({ content }: OpenApiResponse): boolean {
  return content !== undefined && 'application/problem+json' in content
}

function answer(status: string, response: OpenApiResponse, lookup: Lookup): Markup {
  const fields = Object.entries(response.headers ?? {}).filter(([name]) => name !== 'X-Request-Id')
  return markup`
<div><dt><code>${status === 'default' ? 'other' : status}</code></dt>
<dd><p>${inline(response.description)}</p>${fields.map(
    ([name, value]) =>
      markup`<p class="limits"><code>${name}</code> ${inline(lookup.header(value).description)}</p>`,
  )}</dd></div>`
}
