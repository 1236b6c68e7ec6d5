import { describe, it } from 'node:test'
import { checks } from './support/checks.ts'
import { assertNone, assertOnlyKnown } from './support/faults.ts'
import { sources } from './support/project.ts'
import { projectFiles } from '../../scripts/project-files.ts'

const root = new URL('../../', import.meta.url).pathname

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

describe('the project', () => {
  it('contains no database, such as one of a test that lost its folder', () => {
    assertNone(projectFiles(root, /\.db(-wal|-shm|\.lock)?$/).map((file) => `${file}: delete it`))
  })
})

describe('the structure has no', () => {
  for (const [check, find] of Object.entries(checks)) {
    it(check, () => {
      assertOnlyKnown(check, find())
    })
  }
})
