import { methods, type OpenApiDocument } from './document.ts'
import { collectionSection, groupAnchor, type Group } from './page/collection-section.ts'
import { lookup } from './page/lookup.ts'
import { markup, type Markup } from './page/markup.ts'
import { operationLink, type Placed } from './page/operation-section.ts'
import { problemList } from './page/problem-list.ts'
import { headings, prose } from './page/prose.ts'
import { shell } from './page/shell.ts'

/**
 * Renders a document as one HTML page without scripts and external resources. The page links to the
 * other served versions.
 */
export function referencePage(
  document: OpenApiDocument,
  served: readonly string[] = [versionOf(document)],
): string {
  const { info } = document
  const groups = groupsOf(document)
  const find = lookup(document)
  const path = `/${versionOf(document)}/openapi.json`
  return shell({
    title: `${info.title} reference`,
    side: markup`<div class="side">
<header><a class="brand" href="#content">${info.title}</a> <span class="release">${info.version}</span>
<a class="open" href="#contents">Contents</a></header>
${versionList(versionOf(document), served)}${contents(document, groups)}
</div>`,
    content: markup`<div class="introduction">
<h1>${info.title} reference</h1>
${prose(info.description)}
<p>The lines of curl below expect the address and a key in the shell:</p>
<pre tabindex="0"><code>export NUNCIO_URL=http://127.0.0.1:8080
export NUNCIO_KEY=nuncio_…</code></pre>
<p>The same in the words of OpenAPI: <a href="${path}">${path}</a>.</p>
</div>
${groups.map((group) => collectionSection(group, find))}
<section class="group" id="problems" aria-labelledby="problems-title">
<h2 id="problems-title">Problems</h2>
<p>The <code>type</code> of a refusal is one of these. Each has a page of its own.</p>
${problemList()}
</section>`,
  })
}

function contents({ info }: OpenApiDocument, groups: readonly Group[]): Markup {
  return markup`<nav id="contents" aria-label="Contents" tabindex="-1">
<a class="close" href="#content">Close</a>
<ul>
${headings(info.description).map(({ title, id }) => markup`<li><a href="#${id}">${title}</a></li>\n`)}</ul>
<ul>
${groups.map(
  ({ tag, operations }) => markup`<li><a class="tag" href="#${groupAnchor(tag)}">${tag.name}</a>
<ul>${operations.map((placed) => markup`<li>${operationLink(placed)}</li>\n`)}</ul></li>\n`,
)}<li><a class="tag" href="#problems">Problems</a></li>
</ul>
</nav>`
}

/** The operations by their tags, in the order of the tags. */
function groupsOf({ paths, webhooks, tags }: OpenApiDocument): readonly Group[] {
  const all = [...placed(paths, false), ...placed(webhooks, true)]
  return tags.map((tag) => ({
    tag,
    operations: all.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
}

function placed(paths: OpenApiDocument['paths'], outgoing: boolean): readonly Placed[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method]
      return operation === undefined ? [] : [{ path, method, item, operation, outgoing }]
    }),
  )
}

/** The version that a document is of: its paths begin with it. */
function versionOf({ paths }: OpenApiDocument): string {
  return Object.keys(paths)[0]?.split('/')[1] ?? 'v1'
}

/** Links the pages of the versions, the newest first; null if there is only one. */
function versionList(shown: string, served: readonly string[]): Markup | null {
  if (served.length < 2) return null
  const links = served.toReversed().map((name) => {
    const current = name === shown ? markup` aria-current="page"` : null
    return markup`<a href="/docs/${name}"${current}>${name}</a>\n`
  })
  return markup`<p class="versions">Version: ${links}</p>`
}
