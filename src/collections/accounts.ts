import { collection, type InstanceOf } from '../core/collection.ts'
import { accountId, defaultAccount } from '../core/account.ts'
import { boolean, text } from '../core/field.ts'
import { Problem } from '../core/problem.ts'
import type { Rules } from '../core/rules.ts'

/** A tenant. Every other instance belongs to exactly one. */
export const accounts = collection({
  name: 'accounts',
  noun: 'account',
  description: 'A tenant; every other instance belongs to exactly one.',
  searchedBy: ['name'],
  administratorsOnly: true,
  fields: {
    name: text({ minLength: 1, maxLength: 200, required: true, description: 'What it is called.' }),
    active: boolean({
      default: true,
      description: 'Whether its keys work. It must be false before the account can be deleted.',
    }),
    /** Of the installation's own account: seals places in the notification log. */
    placeSecret: text({ internal: true }),
  },
})

/** An account as it is served. */
export type Account = InstanceOf<typeof accounts>

/** The rules of accounts: one that is in use is not deleted, and the administrator's own stays. */
export const accountRules: Rules = {
  write: async ({ after, hiddenAfter }) => {
    if (after['id'] === defaultAccount && after['active'] === false) {
      throw new Problem('conflict', 'The account of the administrator must stay active.')
    }
    return { instance: after, hidden: hiddenAfter }
  },
  remove: async (before, { transaction }) => {
    const { active }: Account = JSON.parse(before.doc)
    if (before.id === defaultAccount) {
      throw new Problem('conflict', 'The account of the administrator cannot be deleted.')
    }
    if (active) {
      const cure = 'Set active to false first.'
      throw new Problem('conflict', `The account is in use and cannot be deleted. ${cure}`)
    }
    await transaction.erase(accountId(before.id))
  },
}
