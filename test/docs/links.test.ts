import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, it } from 'node:test'
import { anchorOf } from '../../site/page-links.ts'
import { markdownFiles } from './support/pages.ts'
import { root } from './support/reader.ts'

describe('links', () => {
  for (const file of markdownFiles) {
    it(`of ${file} lead to files and headings that exist`, () => {
      const links = linksOf(readFileSync(join(root, file), 'utf8'))

      const broken = links.filter((link) => !leadsSomewhere(file, link))

      assert.deepEqual(broken, [])
    })
  }

  it('to every page of the documents stand in their index', () => {
    const index = linksOf(readFileSync(join(root, 'docs/README.md'), 'utf8'))
    const pages = markdownFiles.filter((file) => /^docs\/(?!decisions\/)/.test(file))

    const missing = pages.filter(
      (page) => page !== 'docs/README.md' && !index.includes(page.slice('docs/'.length)),
    )

    assert.deepEqual(missing, [])
  })
})

/** The targets of links and images, those to other places left out. */
function linksOf(page: string): readonly string[] {
  const prose = page.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
}

function leadsSomewhere(file: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? file : normalize(join(dirname(file), path))
  if (!existsSync(join(root, target))) return false
  if (anchor === undefined) return true
  return statSync(join(root, target)).isFile() && anchorsOf(target).includes(anchor)
}

/** The anchors that headings get: in lower case, without punctuation, with dashes for spaces. */
function anchorsOf(file: string): readonly string[] {
  const prose = readFileSync(join(root, file), 'utf8').replace(/^```[^]*?^```$/gm, '')
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
}
