import { head, htmlHeaders, markup } from './html-page.ts'

/** The paths of the scripts of a reference page, in the order in which they run. */
export const referencePaths = {
  before: '/docs/before.js',
  bundle: '/docs/reference.js',
  start: '/docs/start.js',
} as const

/** Returns the page of a version's reference, which Scalar draws from the OpenAPI documents. */
export function referencePage(version: string, served: readonly string[]): string {
  const path = `/${version}/openapi.json`
  const page = markup`<!doctype html>
<html lang="en">
${head('Nuncio reference')}
<body>
<div id="reference" data-version="${version}" data-versions="${served.join(' ')}"></div>
<noscript>The reference needs JavaScript. The same is in <a href="${path}">${path}</a>.</noscript>
<script src="${referencePaths.before}"></script>
<script src="${referencePaths.bundle}"></script>
<script src="${referencePaths.start}"></script>
</body>
</html>
`
  return page.markup
}

/**
 * The policy of a reference page: Scalar writes styles into the page, so it alone allows those. Scripts
 * come from files of the service, and nothing from another host.
 */
export const referenceHeaders = htmlHeaders([
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
])

/** Runs before the bundle: its validation must not compile functions, which the policy forbids. */
export const beforeScript = 'globalThis.__zod_globalConfig = { jitless: true }\n'

/** Starts the reference: nothing is reported, and nothing comes from another host. */
export const startScript = `const { version, versions } = document.getElementById('reference').dataset
Scalar.createApiReference('#reference', {
  sources: versions.split(' ').map((name) => ({
    title: name,
    slug: name,
    url: '/' + name + '/openapi.json',
    default: name === version,
  })),
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
})
`
