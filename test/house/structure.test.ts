import { describe, it } from 'node:test'
import { checks } from './support/checks.ts'
import { assertNone, assertOnlyKnown } from './support/faults.ts'
import { sources } from './support/project.ts'

/** Names that tell nothing about the content. */
const emptyNames =
  /(^|[/-])(utils?|helpers?|common|misc|types|managers?|services?|handlers?)(\.ts$|\/)/

describe('names of files', () => {
  it('are in kebab-case and tell the content', () => {
    assertNone(
      sources
        .filter((file) => emptyNames.test(file) || !/^[a-z0-9./-]+$/.test(file))
        .map((file) => `${file}: name it in kebab-case for its exports`),
    )
  })
})

describe('the structure has no', () => {
  for (const [check, find] of Object.entries(checks)) {
    it(check, () => {
      assertOnlyKnown(check, find())
    })
  }
})
