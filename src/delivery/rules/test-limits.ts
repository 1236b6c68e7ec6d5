import { Problem } from '../../core/problem.ts'

/** So many tests may wait for an answer at once, in all. */
export const testsMax = 16

/** So many of one account. */
export const testsOfAccountMax = 4

/** Lets tests begin, as long as not too many wait for an answer. */
export interface TestLimits {
  /** Throws a `Problem` where there is no room; else gives what ends the test. */
  begin(account: string, webhookId: string): () => void
}

/** Counts the tests of this node: one to a webhook at once, and few in all. */
export function testLimits(): TestLimits {
  const webhooks = new Set<string>()
  const accounts = new Map<string, number>()

  return {
    begin: (account, webhookId) => {
      const webhook = JSON.stringify([account, webhookId])
      const ofAccount = accounts.get(account) ?? 0
      if (webhooks.has(webhook)) {
        throw new Problem('conflict', 'Another test of this webhook waits for its answer.')
      }
      if (ofAccount >= testsOfAccountMax) throw tooMany('too-many-requests', 'of this account')
      if (webhooks.size >= testsMax) throw tooMany('unavailable', 'of this service')

      webhooks.add(webhook)
      accounts.set(account, ofAccount + 1)
      return () => {
        webhooks.delete(webhook)
        const left = (accounts.get(account) ?? 1) - 1
        if (left === 0) accounts.delete(account)
        else accounts.set(account, left)
      }
    },
  }
}

function tooMany(problem: 'too-many-requests' | 'unavailable', whose: string): Problem {
  const headers = { 'retry-after': '5' }
  return new Problem(problem, `Too many tests ${whose} wait for their answers.`, { headers })
}
