import { collection, type InstanceOf } from '../core/declaration/collection.ts'
import { array, map, text } from '../core/declaration/field.ts'

/** A person or a system with an address. */
export const contacts = collection({
  name: 'contacts',
  noun: 'contact',
  description: 'A person or a system with an address.',
  searchedBy: ['name'],
  fields: {
    name: text({
      maxLength: 200,
      nullable: true,
      indexed: true,
      description: 'Name.',
    }),
    address: text({
      format: 'recipient',
      required: true,
      indexed: true,
      description: 'The telephone number.',
    }),
    tags: array(text({ minLength: 1, maxLength: 64 }), {
      maxItems: 100,
      default: [],
      description: 'Words for filters.',
    }),
    attributes: map(text({ maxLength: 1000 }), {
      maxProperties: 100,
      default: {},
      description: 'Your texts by name.',
    }),
  },
})

/** A contact as it is served. */
export type Contact = InstanceOf<typeof contacts>
