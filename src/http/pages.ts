import { collectionPath, qualifiedName, type Collection } from '../core/collection.ts'
import type { Metrics } from '../core/metrics.ts'
import { problems, type ProblemName } from '../core/problem.ts'
import type { Catalogue } from '../engine/catalogue.ts'
import type { PlainAnswer } from './request.ts'
import type { Page } from './respond.ts'

/** Whether the process takes requests: `ready`, or why it does not. */
export type Readiness = () => 'ready' | 'starting' | 'stopping'

/** The pages outside the versions: what this is, whether it is well, and what its problems mean. */
export function pages(
  catalogue: Catalogue,
  views: readonly string[],
  readiness: Readiness,
  metrics: Metrics,
): ReadonlyMap<string, Page> {
  const root = jsonPage({
    name: 'Nuncio',
    description: 'A messaging API: text messages over HTTP, notifications by signed webhooks.',
    versions: { v1: '/v1' },
    health: { live: '/health/live', ready: '/health/ready' },
    metrics: '/metrics',
    problems: '/problems',
  })
  const collections = Object.fromEntries([
    ...catalogue.all.map(({ declared }) => [
      shortName(declared, catalogue),
      `/v1/${collectionPath(declared)}`,
    ]),
    ...views.map((name) => [name, `/v1/${name}`]),
  ])
  const names = Object.keys(problems) as ProblemName[]
  return new Map<string, Page>([
    ['/', root],
    ['/v1', jsonPage({ collections })],
    ['/health/live', jsonPage({ status: 'live' })],
    ['/health/ready', () => ready(readiness())],
    ['/metrics', () => metricsPage(metrics)],
    ['/problems', jsonPage({ problems: names.map((name) => `/problems/${name}`) })],
    ...names.map((name): [string, Page] => [`/problems/${name}`, problemPage(name)]),
  ])
}

/** A name that collections under several parents have is told with its parent. */
function shortName(declared: Collection, { all }: Catalogue): string {
  const isShared = all.some(
    (other) => other.declared.name === declared.name && other.declared !== declared,
  )
  return isShared ? qualifiedName(declared) : declared.name
}

function jsonPage(content: object): Page {
  const body = JSON.stringify(content)
  return () => ({ status: 200, headers: {}, body })
}

function problemPage(name: ProblemName): Page {
  const [status, title, cure] = problems[name]
  return jsonPage({ type: `/problems/${name}`, status, title, cure })
}

async function metricsPage(metrics: Metrics): Promise<PlainAnswer> {
  const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }
  return { status: 200, headers, body: await metrics.text() }
}

function ready(state: ReturnType<Readiness>): PlainAnswer {
  const headers = state === 'ready' ? {} : { 'retry-after': '1' }
  const status = state === 'ready' ? 200 : 503
  return { status, headers, body: JSON.stringify({ status: state }) }
}
