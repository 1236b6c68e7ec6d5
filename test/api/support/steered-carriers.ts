import type { CarrierCondition, CarrierType } from '../../../src/core/ports/carrier.ts'
import type { Instant } from '../../../src/core/ports/clock.ts'
import { choice, integer } from '../../../src/core/declaration/field.ts'
import { standardScheme } from '../../../src/core/part-scheme.ts'
import { standardOffer, type Offer } from '../../../src/wiring/wire.ts'
import {
  fakeCarrier,
  taken,
  type Decide,
  type FakeCarrier,
} from '../../gateway/support/fake-carrier.ts'

/** Carriers of the type SMPP that do what a test says. */
export interface SteeredCarriers {
  readonly offer: Offer
  /** What each was given, by the identifier of the carrier. */
  bodies(id: string): readonly string[]
  of(id: string): FakeCarrier
  /** Lets a carrier be down, or bound, from this time on. */
  set(id: string, state: CarrierCondition['state'], since: Instant): void
  /** What becomes of messages from now on. */
  decide(id: string, decide: Decide): void
}

/** Makes them. Each takes every message at once until it is told otherwise. */
export function steeredCarriers(): SteeredCarriers {
  const opened = new Map<string, FakeCarrier>()
  const states = new Map<string, Pick<CarrierCondition, 'state' | 'since'>>()
  const decisions = new Map<string, Decide>()
  const type: CarrierType = {
    type: 'SMPP',
    settings: {
      window: integer({ nullable: true }),
      partsPerSecond: integer({ nullable: true }),
      longMessages: choice(['UDH8', 'UDH16'], { default: 'UDH8' }),
    },
    partScheme: ({ longMessages }) =>
      longMessages === 'UDH16' ? { ...standardScheme, longMessages } : standardScheme,
    open: (id) => {
      const fake = fakeCarrier((message) => (decisions.get(id) ?? taken)(message), id)
      const carrier: FakeCarrier = {
        ...fake,
        condition: () => {
          const { state, since } = states.get(id) ?? { state: 'BOUND', since: 0 }
          const stateReason = state === 'BOUND' ? null : 'the test says so'
          return { ...fake.condition(), state, since, stateReason }
        },
      }
      opened.set(id, carrier)
      return carrier
    },
  }
  const of = (id: string): FakeCarrier => {
    const carrier = opened.get(id)
    if (carrier === undefined) throw new Error(`${id} is not open`)
    return carrier
  }
  return {
    offer: { ...standardOffer, carrierTypes: [type] },
    of,
    bodies: (id) => of(id).submitted.map(({ body }) => body),
    set: (id, state, since) => void states.set(id, { state, since }),
    decide: (id, decide) => void decisions.set(id, decide),
  }
}
