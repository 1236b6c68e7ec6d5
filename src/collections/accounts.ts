import { collection, type InstanceOf } from '../core/collection.ts'
import { boolean, text } from '../core/field.ts'

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
  },
})

/** An account as it is served. */
export type Account = InstanceOf<typeof accounts>
