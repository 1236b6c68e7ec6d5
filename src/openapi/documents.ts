import { problems, type ProblemName } from '../core/problem.ts'
import type { Catalogue } from '../engine/catalogue.ts'
import { openApi, type OpenApiOptions } from './open-api.ts'
import { pageHeaders } from './page/page-headers.ts'
import { problemPage } from './problem-page.ts'
import { referencePage } from './reference-page.ts'

/** What is written of an installation. It is made when it is first asked for: starting needs none of it. */
export function documents(catalogue: Catalogue, options: OpenApiOptions) {
  const document = once(() => openApi(catalogue, options))
  const names = Object.keys(problems) as ProblemName[]
  const problemPages = new Map(names.map((name) => [name, once(() => problemPage(name))]))
  return {
    openApi: once(() => JSON.stringify(document())),
    reference: once(() => referencePage(document())),
    problem: (name: ProblemName): string => problemPages.get(name)?.() ?? '',
    htmlHeaders: pageHeaders,
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}
