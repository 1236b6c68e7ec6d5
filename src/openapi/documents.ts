import { problems, type ProblemName } from '../core/problem.ts'
import type { Version } from '../core/declaration/version.ts'
import { catalogue } from '../engine/catalogue.ts'
import { type DescribedApi, versionsDescribed } from './earlier/versions-described.ts'
import { openApi } from './open-api.ts'
import { pageHeaders } from './html-page.ts'
import { problemPage } from './problem-page.ts'
import {
  beforeScript,
  referenceHeaders,
  referencePage,
  referencePaths,
  startScript,
} from './reference-page.ts'

/**
 * Returns the documents of an installation for each version; `newest` describes the newest. Each is
 * built on first use, so that the start needs none.
 */
export function documents(newest: DescribedApi, declared: readonly Version[]) {
  const served = declared.filter(({ retired }) => retired !== true).map(({ name }) => name)
  const described = once(() => versionsDescribed(newest, declared))
  const made = new Map(served.map((name) => [name, writings(name, served, described)]))
  const names = Object.keys(problems) as ProblemName[]
  const problemPages = new Map(names.map((name) => [name, once(() => problemPage(name))]))
  return {
    openApi: (version: string): string => made.get(version)?.openApi() ?? '',
    reference: (version: string): string => made.get(version)?.reference() ?? '',
    problem: (name: ProblemName): string => problemPages.get(name)?.() ?? '',
    htmlHeaders: pageHeaders,
    referenceHeaders,
    scripts: { [referencePaths.before]: beforeScript, [referencePaths.start]: startScript },
  }
}

/** The document of one version and its page. */
function writings(
  name: string,
  served: readonly string[],
  described: () => ReadonlyMap<string, DescribedApi>,
) {
  const document = once(() => {
    const found = described().get(name)
    if (found === undefined) throw new Error(`There is no version ${name}.`)
    return openApi(catalogue(found.collections), found.options)
  })
  return {
    openApi: once(() => JSON.stringify(document())),
    reference: once(() => referencePage(name, served)),
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}
