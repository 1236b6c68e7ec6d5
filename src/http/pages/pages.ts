import { qualifiedName } from '../../core/declaration/collection.ts'
import type { Metrics } from '../../core/ports/metrics.ts'
import { Problem, problems, type ProblemName } from '../../core/problem.ts'
import type { Catalogue } from '../../engine/catalogue.ts'
import type { Versions, ServedVersion } from '../../versions/versions.ts'
import { asksHtml } from '../routing/check-head.ts'
import type { Readiness, ReadinessCheck } from './readiness.ts'
import { header, type PlainResponse } from '../server/request.ts'
import { compressedScript, openApiPage } from './compressed-content.ts'
import { orConsole } from './console-page.ts'
import type { HtmlPage } from '../routing/edge.ts'
import type { Respond } from '../server/handle.ts'

/** Dependencies of the pages. */
export interface PageDependencies {
  readonly catalogue: Catalogue
  readonly versions: Versions
  /** The names of the views. */
  readonly views: readonly string[]
  readonly readiness: Readiness
  readonly metrics: Metrics
  readonly documents: () => Promise<Documents>
  /** The script that draws the reference, compressed with brotli. */
  readonly referenceBundle: URL
  /** People can sign in at an OpenID provider. */
  readonly hasOpenId: boolean
}

/** Documentation for people and tools, built on first use. */
export interface Documents {
  /** The OpenAPI document of a version, as JSON text. */
  openApi(version: string): string
  /** The reference of a version, as HTML. */
  reference(version: string): string
  /** The page of a problem, as HTML. */
  problem(name: ProblemName): string
  /** Header fields of a reference. */
  readonly referenceHeaders: Readonly<Record<string, string>>
  /** Small scripts of the reference, by path. */
  readonly scripts: Readonly<Record<string, string>>
  /** Header fields of a page of a problem. */
  readonly htmlHeaders: Readonly<Record<string, string>>
}

/** The pages outside the versions: what this is, whether it is well, how it is used. */
export function pages(parts: PageDependencies): ReadonlyMap<string, HtmlPage> {
  const { versions, metrics, readiness, documents } = parts
  const { newest } = versions
  const reference = (version: string): HtmlPage => {
    return async () => {
      const written = await documents()
      return { status: 200, headers: written.referenceHeaders, body: written.reference(version) }
    }
  }
  const names = Object.keys(problems) as ProblemName[]
  return new Map<string, HtmlPage>([
    ['/', orConsole(jsonPage(self(parts)))],
    ...versions.names.flatMap((name) => versionPages(versions.find(name), parts)),
    ['/docs', reference(newest)],
    ...versions.names.map((name): [string, HtmlPage] => [`/docs/${name}`, reference(name)]),
    ['/docs/reference.js', compressedScript(parts.referenceBundle)],
    ['/docs/before.js', script('/docs/before.js', documents)],
    ['/docs/start.js', script('/docs/start.js', documents)],
    ['/health/live', jsonPage({ status: 'live' })],
    ['/health/ready', async () => ready(await readiness())],
    ['/metrics', () => metricsPage(metrics)],
    ['/problems', jsonPage({ problems: names.map((name) => `/problems/${name}`) })],
    ...names.map((name): [string, HtmlPage] => [`/problems/${name}`, problemPage(name, documents)]),
  ])
}

function script(path: string, documents: () => Promise<Documents>): HtmlPage {
  const headers = { 'content-type': 'text/javascript; charset=utf-8' }
  return async () => ({ status: 200, headers, body: (await documents()).scripts[path] ?? '' })
}

/** Returns the pages of a version; the links to its documentation are those of RFC 8631. */
function versionPages(version: ServedVersion, parts: PageDependencies): [string, HtmlPage][] {
  const { name, headers } = version
  const described = `/${name}/openapi.json`
  const link = `<${described}>; rel="service-desc", </docs/${name}>; rel="service-doc"`
  return [
    [`/${name}`, jsonPage({ collections: collectionsOf(version, parts) }, { ...headers, link })],
    [described, openApiPage(async () => (await parts.documents()).openApi(name), headers)],
  ]
}

function self({ versions, hasOpenId }: PageDependencies): object {
  return {
    name: 'Nuncio',
    description: 'A messaging API: text messages over HTTP, notifications by signed webhooks.',
    versions: Object.fromEntries(versions.names.map((name) => [name, `/${name}`])),
    console: '/console',
    ...(hasOpenId ? { signIn: `/${versions.newest}/sessions/authorization` } : {}),
    reference: '/docs',
    openapi: `/${versions.newest}/openapi.json`,
    health: { live: '/health/live', ready: '/health/ready' },
    metrics: '/metrics',
    problems: '/problems',
  }
}

/** Returns the URLs of the resources of a version, by qualified name. */
function collectionsOf(
  version: ServedVersion,
  { catalogue, views }: PageDependencies,
): Readonly<Record<string, string>> {
  const collections = catalogue.all.flatMap(({ declared }): [string, string][] => {
    const name = version.collectionDown(qualifiedName(declared))
    return name === null ? [] : [[name, `/${version.name}/${name.replace('/', '/{id}/')}`]]
  })
  const others = views.map((name): [string, string] => [name, `/${version.name}/${name}`])
  return Object.fromEntries([...collections, ...others])
}

function jsonPage(content: object, headers: PlainResponse['headers'] = {}): HtmlPage {
  const body = JSON.stringify(content)
  return () => ({ status: 200, headers, body })
}

/** Serves HTML if the client asks for it, as browsers do; otherwise JSON. */
function problemPage(name: ProblemName, documents: () => Promise<Documents>): HtmlPage {
  const [status, title, cure] = problems[name]
  const json = JSON.stringify({ type: `/problems/${name}`, status, title, cure })
  return async (request) => {
    if (!asksHtml(header(request, 'accept')))
      return { status: 200, headers: { vary: 'Accept' }, body: json }
    const { htmlHeaders, problem } = await documents()
    return { status: 200, headers: { ...htmlHeaders, vary: 'Accept' }, body: problem(name) }
  }
}

async function metricsPage(metrics: Metrics): Promise<PlainResponse> {
  const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }
  return { status: 200, headers, body: await metrics.text() }
}

function ready(state: ReadinessCheck): PlainResponse {
  const headers = state === 'ready' ? {} : { 'retry-after': '1' }
  const status = state === 'ready' ? 200 : 503
  return { status, headers, body: JSON.stringify({ status: state }) }
}

/** The pages for operators, which can have a separate address. */
const operatorPaths: readonly string[] = ['/health/live', '/health/ready', '/metrics']

/** Leaves out the metrics, which have a separate address. Health stays, for load balancers. */
export function withoutMetrics(
  pages: ReadonlyMap<string, HtmlPage>,
): ReadonlyMap<string, HtmlPage> {
  return new Map([...pages].filter(([path]) => path !== '/metrics'))
}

/** Serves health and metrics, and nothing else. */
export function onlyOperatorPages(pages: ReadonlyMap<string, HtmlPage>): Respond {
  return (request) => {
    const path = request.target.split('?', 1)[0] ?? ''
    const page = operatorPaths.includes(path) ? pages.get(path) : undefined
    if (page === undefined) {
      throw new Problem('not-found', `This address has ${operatorPaths.join(', ')} alone.`)
    }
    if (request.method === 'GET') return page(request)
    const headers = { allow: 'GET, HEAD' }
    throw new Problem('method-not-allowed', `${request.method} is not allowed.`, { headers })
  }
}

/** Serves a node without the role api: its health, metrics and documentation only. */
export function onlyPages(pages: ReadonlyMap<string, HtmlPage>): Respond {
  return (request) => {
    const page = pages.get(request.target.split('?', 1)[0] ?? '')
    if (page !== undefined && request.method === 'GET') return page(request)
    const detail = 'This node does not serve the API: it lacks the role api.'
    throw new Problem('unavailable', detail, { headers: { 'retry-after': '1' } })
  }
}
