import { Problem } from '../core/problem.ts'
import type { Respond } from './handle.ts'
import type { HtmlPage } from './edge.ts'

/** What a node answers that does not answer requests: how it fares, and nothing of the interface. */
export function onlyPages(pages: ReadonlyMap<string, HtmlPage>): Respond {
  return (request) => {
    const page = pages.get(request.target.split('?', 1)[0] ?? '')
    if (page !== undefined && request.method === 'GET') return page(request)
    const detail = 'This node answers no requests: it does not have the role api.'
    throw new Problem('unavailable', detail, { headers: { 'retry-after': '1' } })
  }
}
