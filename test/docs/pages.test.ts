import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pages } from './support/pages.ts'
import { hasProgram, root } from './support/reader.ts'
import { runPage, uses } from './support/run-page.ts'

const hasCurl = hasProgram('curl')

/** Every command of these pages is run, in order, and what they show is compared. CONTRIBUTING.md says how. */
describe('the pages for readers', { concurrency: true }, () => {
  for (const page of pages) {
    const needsCurl = uses('curl', readFileSync(join(root, page), 'utf8'))
    const skip = needsCurl && !hasCurl ? 'curl is not on this machine' : false

    it(`${page} can be followed from its beginning to its end`, { skip }, (t) => runPage(t, page))
  }
})
