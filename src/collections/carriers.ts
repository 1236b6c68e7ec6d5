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
  description: 'A link to a network: settings, routes and live state.',
  searchedBy: ['name'],
  administratorsOnly: true,
  audited: true,
  fields: {
    name: text({ maxLength: 200, nullable: true, description: 'Name.' }),
    type: choice(['SIMULATOR', 'SMPP', 'HTTP'], {
      required: true,
      description: 'The type of link; it cannot change.',
    }),
    active: boolean({
      default: true,
      description:
        'Whether it is open. An inactive carrier finishes messages in flight and closes.',
    }),
    routes: array(
      object({
        prefix: text({
          pattern: '^([+][0-9]{0,15}|[0-9]{0,8})$',
          form: 'the beginning of an address, such as +49 or nothing',
          default: '',
          description: 'Prefix of the recipient; empty: every recipient.',
        }),
        weight: integer({
          minimum: 1,
          maximum: 1000,
          default: 1,
          description: 'Share among routes of the same prefix and priority.',
        }),
        priority: integer({
          minimum: 0,
          maximum: 100,
          default: 0,
          description: 'The lowest number that is available takes all messages.',
        }),
      }),
      {
        maxItems: 1000,
        default: [],
        description:
          'Recipients that it serves. The longest prefix decides; the simulator serves unmatched recipients.',
      },
    ),
    downLimitMs: integer({
      minimum: 0,
      maximum: 86_400_000,
      default: 30_000,
      description: 'Time without BOUND until its messages fail over to other routes.',
    }),
    settings: object(
      {},
      {
        open: true,
        default: {},
        description: 'Settings by type. Responses omit secrets; an omitted secret is unchanged.',
      },
    ),
    declared: boolean({
      live: true,
      readOnly: true,
      description: 'Whether the configuration file declares it; the API cannot change it then.',
    }),
    state: choice(['BOUND', 'CONNECTING', 'DOWN', 'STOPPED'], {
      live: true,
      readOnly: true,
      description: 'Current state.',
    }),
    stateReason: text({
      live: true,
      readOnly: true,
      nullable: true,
      description: 'Cause if it is not BOUND, or what a BOUND carrier lacks.',
    }),
    stateSince: timestampField({
      live: true,
      readOnly: true,
      nullable: true,
      description: 'Start of this state.',
    }),
    inFlight: integer({
      live: true,
      readOnly: true,
      description: 'Unacknowledged parts: the used window.',
    }),
    partsPerSecond: number({
      live: true,
      readOnly: true,
      description: 'Recently submitted parts per second.',
    }),
    waitingMessages: integer({
      live: true,
      readOnly: true,
      nullable: true,
      description:
        'Messages that are due and wait for it, at most 5 seconds ago, counted up to 10,000; null: unknown.',
    }),
    waitingSince: timestampField({
      live: true,
      readOnly: true,
      nullable: true,
      description: 'Due time of the oldest of them; null: none waits.',
    }),
    lastError: object(
      { at: timestampField(), detail: text() },
      {
        live: true,
        readOnly: true,
        nullable: true,
        description: 'Time and detail of the last error.',
      },
    ),
    /** Settings that are never shown. */
    secrets: object({}, { open: true, internal: true, secret: true }),
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
