import { defaultAccount } from '../core/account.ts'
import { collection, type HiddenOf, type InstanceOf } from '../core/declaration/collection.ts'
import {
  array,
  boolean,
  choice,
  integer,
  number,
  object,
  text,
  timestampField,
} from '../core/declaration/field.ts'
import type { Transaction } from '../core/ports/store.ts'

/** Identifier of the carrier that the first start creates. */
export const simulatorId = 'carrier_simulator'

/** Link to the outside: its settings, its routes and its live state. */
export const carriers = collection({
  name: 'carriers',
  noun: 'carrier',
  description: 'A link to the outside: its settings, its routes and its live state.',
  searchedBy: ['name'],
  administratorsOnly: true,
  fields: {
    name: text({ maxLength: 200, nullable: true, description: 'What it is called.' }),
    type: choice(['SIMULATOR', 'SMPP', 'HTTP'], {
      required: true,
      description: 'What kind of link it is. It stays as it was made.',
    }),
    active: boolean({
      default: true,
      description: 'Whether it is open. One that is not finishes what is in flight and closes.',
    }),
    routes: array(
      object({
        prefix: text({
          pattern: '^([+][0-9]{0,15}|[0-9]{0,8})$',
          form: 'the beginning of an address, such as +49 or nothing',
          default: '',
          description: 'What the recipient begins with; empty for every recipient.',
        }),
        weight: integer({
          minimum: 1,
          maximum: 1000,
          default: 1,
          description: 'Its share among routes of the same prefix and priority.',
        }),
        priority: integer({
          minimum: 0,
          maximum: 100,
          default: 0,
          description: 'Those with the lowest number that are up take all; the others wait.',
        }),
      }),
      {
        maxItems: 1000,
        default: [],
        description:
          'Which recipients it serves. The longest prefix decides; the simulator takes what no route matches.',
      },
    ),
    downLimitMs: integer({
      minimum: 0,
      maximum: 86_400_000,
      default: 30_000,
      description: 'How long it may be not BOUND until its messages go over other routes.',
    }),
    settings: object(
      {},
      {
        open: true,
        default: {},
        description:
          'What it is set up with; the fields depend on the type. Secrets are never shown: absent means unchanged.',
      },
    ),
    declared: boolean({
      live: true,
      readOnly: true,
      description: 'Whether the configuration file declares it: then it is changed there alone.',
    }),
    state: choice(['BOUND', 'CONNECTING', 'DOWN', 'STOPPED'], {
      live: true,
      readOnly: true,
      description: 'How it is just now, on the node that answers.',
    }),
    stateReason: text({
      live: true,
      readOnly: true,
      nullable: true,
      description: 'Why it is not BOUND.',
    }),
    stateSince: timestampField({
      live: true,
      readOnly: true,
      nullable: true,
      description: 'Since when it is in this state.',
    }),
    inFlight: integer({
      live: true,
      readOnly: true,
      description: 'Parts handed over that are not answered yet: what is used of its window.',
    }),
    partsPerSecond: number({
      live: true,
      readOnly: true,
      description: 'Parts handed over a second, over the last seconds.',
    }),
    lastError: object(
      { at: timestampField(), detail: text() },
      {
        live: true,
        readOnly: true,
        nullable: true,
        description: 'What last went wrong, and when.',
      },
    ),
    /** Settings that are never shown. */
    secrets: object({}, { open: true, internal: true }),
  },
})

/** A carrier as it is served. */
export type CarrierInstance = InstanceOf<typeof carriers>

/** Fields of a carrier that are stored and never shown. */
export type HiddenCarrier = HiddenOf<typeof carriers>

/** One of the routes of a carrier. */
export type CarrierRoute = CarrierInstance['routes'][number]

/** Returns true if a carrier with this identifier exists, active or not. */
export async function isCarrier(transaction: Transaction, id: string): Promise<boolean> {
  return (await transaction.in(defaultAccount).find(carriers, { id })) !== null
}
