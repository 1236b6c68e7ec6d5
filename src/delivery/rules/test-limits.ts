import { Problem } from '../../core/problem.ts'

/** Maximum simultaneous tests. */
export const testsMax = 16

/** Maximum simultaneous tests of one account. */
export const testsOfAccountMax = 4

/** Lets tests begin, as long as not too many wait for an answer. */
export interface TestLimits {
  /** Starts a test and returns the function that ends it. Throws a `Problem` if there is no room. */
  begin(account: string, webhookId: string): () => void
}

/** Counts the tests of this node: one per webhook, and few in all. */
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
