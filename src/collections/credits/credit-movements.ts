import { collection, type InstanceOf } from '../../core/declaration/collection.ts'
import { creditsMax } from './credit-amounts.ts'
import { choice, number, text } from '../../core/declaration/field.ts'

/** Why credits were moved. */
export const movementKinds = [
  'TOP_UP',
  'WITHDRAWAL',
  'RESERVED',
  'CHANGED',
  'RETURNED',
  'OPENING',
] as const

/** The ledger of an account's credits: the sum of its amounts is the account's `creditBalance`. */
export const creditMovements = collection({
  name: 'creditMovements',
  noun: 'creditMovement',
  description: 'An entry in the ledger of an account’s credits. The sum of all is the balance.',
  parent: 'accounts',
  order: 'newestFirst',
  methods: { collection: ['GET', 'POST'], instance: ['GET'] },
  fields: {
    amount: number({
      required: true,
      minimum: -creditsMax,
      maximum: creditsMax,
      description: 'Added credits; negative: removed credits. At most six decimals.',
    }),
    kind: choice(movementKinds, {
      readOnly: true,
      description:
        '`TOP_UP` and `WITHDRAWAL`: by the operator. `RESERVED`: a message was accepted. ' +
        '`CHANGED`: its cost changed. `RETURNED`: it ended before its submit. ' +
        '`OPENING`: the sum of entries older than 400 days.',
    }),
    messageId: text({
      readOnly: true,
      nullable: true,
      indexed: true,
      description: 'The message of the entry.',
    }),
    balance: number({ readOnly: true, description: 'The balance after the entry.' }),
    note: text({
      nullable: true,
      maxLength: 200,
      description: 'A note of the operator, such as an invoice number.',
    }),
    /** Which message it is for: a deleted one's identifier may be used again, this one is not. */
    submission: text({ internal: true }),
  },
})

/** The ledger of the account that asks: accounts themselves only administrators reach. */
export const credits = collection({
  name: 'credits',
  noun: 'credit',
  description: 'An entry in the ledger of the caller’s account. The sum of all is the balance.',
  membersOf: 'accounts/creditMovements',
  methods: { collection: ['GET'], instance: ['GET'] },
  fields: {},
})

/** A movement as it is served. */
export type CreditMovement = InstanceOf<typeof creditMovements>

/** Why credits were moved. */
export type MovementKind = (typeof movementKinds)[number]
