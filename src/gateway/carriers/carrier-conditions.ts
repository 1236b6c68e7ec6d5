import type { CarrierCondition } from '../../core/ports/carrier.ts'
import type { NodeMembers } from '../../core/ports/nodes.ts'

/** The state of a node's carriers that other nodes can read. */
interface Told {
  readonly carriers?: Readonly<Record<string, CarrierCondition>>
}

/** Encodes the conditions of the carriers that are open here, for other nodes. */
export function encodeConditions(open: Iterable<readonly [string, CarrierCondition]>): string {
  return JSON.stringify({ carriers: Object.fromEntries(open) } satisfies Told)
}

/** Returns the last known conditions of a carrier on the other nodes. */
export function readConditions(members: NodeMembers, carrier: string): readonly CarrierCondition[] {
  return members.live().flatMap(({ id, sharedState: told }) => {
    if (id === members.self) return []
    const condition = conditionsIn(told)[carrier]
    return condition === undefined ? [] : [condition]
  })
}

/** The states, best first. */
const states = ['BOUND', 'CONNECTING', 'DOWN', 'STOPPED'] as const

/** Merges the conditions of a carrier on several nodes: the best state, with the sum of all rates. */
export function mergeConditions(conditions: readonly CarrierCondition[]): CarrierCondition | null {
  const [first, ...others] = conditions
  if (first === undefined || others.length === 0) return first ?? null
  const best = others.reduce((a, b) => (rankOf(b) < rankOf(a) ? b : a), first)
  const sum = (of: (condition: CarrierCondition) => number): number =>
    conditions.reduce((total, condition) => total + of(condition), 0)
  return {
    ...best,
    inFlight: sum(({ inFlight }) => inFlight),
    partsPerSecond: sum(({ partsPerSecond }) => partsPerSecond),
  }
}

function rankOf({ state }: CarrierCondition): number {
  return states.indexOf(state)
}

let last: { readonly text: string; readonly read: NonNullable<Told['carriers']> }[] = []

/** Parses the conditions of a node. Caches the texts of a few nodes, which are read again and again. */
function conditionsIn(text: string): NonNullable<Told['carriers']> {
  const known = last.find((each) => each.text === text)
  if (known !== undefined) return known.read
  const told: Told = JSON.parse(text)
  last = [...last.slice(-15), { text, read: told.carriers ?? {} }]
  return told.carriers ?? {}
}
