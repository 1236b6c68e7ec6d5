import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { keepBraces } from '../literal-braces.ts'
import { anchorOf, copyLinkedFiles, linkInSite } from '../page-links.ts'
import { sidebar } from '../sidebar.ts'

const root = join(import.meta.dirname, '..', '..')

/** The documentation site: every page of the project at its path, so that links between pages stay true. */
export default defineConfig({
  title: 'Nuncio',
  description: 'The messaging API that a company runs itself.',
  lang: 'en',
  srcDir: '..',
  srcExclude: ['**/dist/**', 'data/**', 'release/**'],
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  rewrites: (page) => page.replace(/README\.md$/, 'index.md'),
  markdown: {
    anchor: { slugify: anchorOf },
    config: (markdown) => {
      // An angle bracket in a sentence is one: pages use HTML for comments between blocks only.
      markdown.disable('html_inline')
      linkInSite(markdown)
      keepBraces(markdown)
    },
  },
  buildEnd: ({ outDir }) => copyLinkedFiles(root, outDir),
  themeConfig: {
    nav: [
      { text: 'Documents', link: '/docs/' },
      { text: 'Changelog', link: '/CHANGELOG' },
    ],
    sidebar: sidebar(root),
    outline: 'deep',
    search: { provider: 'local' },
  },
})
