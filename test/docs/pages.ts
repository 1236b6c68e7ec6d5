import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pages } from './support/pages.ts'
import { hasProgram, root } from './support/reader.ts'
import { runPage, uses } from './support/run-page.ts'

const hasCurl = hasProgram('curl')

// Most pages start a service. Too many starts at a time exceed a terminal's time limit on a busy machine.
const concurrency = 4

/** Runs every command of the pages in order and compares the output, as CONTRIBUTING.md describes. */
describe('the pages for readers', { concurrency }, () => {
  for (const page of pages) {
    const needsCurl = uses('curl', readFileSync(join(root, page), 'utf8'))
    const skip = needsCurl && !hasCurl ? 'curl is not on this machine' : false

    it(`${page} can be followed from its beginning to its end`, { skip }, (t) => runPage(t, page))
  }
})
