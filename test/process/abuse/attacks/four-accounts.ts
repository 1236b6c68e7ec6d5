import type { Attack } from '../attack.ts'
import { largePages } from './large-pages.ts'
import { pipelining } from './connections/pipelining.ts'
import { queries } from './queries.ts'
import { writers } from './writers.ts'

const parts = [queries, largePages, writers, pipelining]

/** Attacks of several kinds at once, each by an account of its own. */
export const fourAccounts: Attack = {
  name: 'four-accounts',
  title: 'four accounts at once: queries, pages of 1,000, writers, pipelining',
  run: async (target, signal, note) => {
    await Promise.all(
      parts.map((part, index) => {
        const own = target.accounts[index] ?? target.own
        return part.run({ ...target, own }, signal, note)
      }),
    )
  },
}
