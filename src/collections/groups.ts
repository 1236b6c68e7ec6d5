import { collection } from '../core/declaration/collection.ts'
import { reference, text } from '../core/declaration/field.ts'

/** A named set of contacts. */
export const groups = collection({
  name: 'groups',
  noun: 'group',
  description: 'A named set of contacts.',
  searchedBy: ['name'],
  fields: {
    name: text({
      minLength: 1,
      maxLength: 200,
      required: true,
      indexed: true,
      description: 'Name.',
    }),
  },
})

/** Memberships of a group. Clients see the contacts themselves. */
export const groupContacts = collection({
  name: 'contacts',
  noun: 'contact',
  description: 'A contact in the group.',
  parent: 'groups',
  membersOf: 'contacts',
  methods: { collection: ['GET', 'POST'], instance: ['GET', 'DELETE'] },
  fields: {
    contact: reference('contacts', {
      required: true,
      indexed: true,
      onDelete: 'cascade',
      description: 'The contact in the group.',
    }),
  },
})
