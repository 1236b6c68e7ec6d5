import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keepBraces } from '../../site/literal-braces.ts'
import { hrefInSite } from '../../site/page-links.ts'
import { sidebar } from '../../site/sidebar.ts'
import { markdownFiles } from './support/pages.ts'
import { root } from './support/reader.ts'

describe('the documentation site', () => {
  it('has every page in its sidebar, by folder', () => {
    const groups = sidebar(root)

    const links = groups.flatMap(({ items = [] }) => items.map(({ link }) => link))
    const pages = markdownFiles.map((file) => `/${file.replace(/(README)?\.md$/, '')}`)
    assert.deepEqual(links.toSorted(), pages.toSorted())
    assert.deepEqual(
      groups.map(({ text }) => text),
      [
        'Documents',
        'Tutorials',
        'How-to',
        'Recipes',
        'Reference',
        'Explanation',
        'Decisions',
        'Project',
      ],
    )
  })

  it('shows braces of pages, which Vue would evaluate', () => {
    const rules = { text: String, code_inline: (text: string) => `<code>${text}</code>` }
    keepBraces({ renderer: { rules } })

    assert.equal(rules.text('{{body}}'), '&#123;&#123;body}}')
    assert.equal(rules.code_inline('{{body}}'), '<code>&#123;&#123;body}}</code>')
  })

  it('leads from pages to indexes, and to copies of other files', () => {
    const hrefs = [
      '../README.md#x',
      'cli.md',
      '../../src/wiring/wire.ts',
      'https://a.example/b',
      '#c',
    ]

    const inSite = hrefs.map((href) => hrefInSite(href, 'docs/reference/http-api.md'))

    assert.deepEqual(inSite, [
      '../index.md#x',
      'cli.md',
      '../../src/wiring/wire.ts.txt',
      'https://a.example/b',
      '#c',
    ])
  })
})
