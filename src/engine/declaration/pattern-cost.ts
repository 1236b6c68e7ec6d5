import { alphabet } from './pattern-alphabet.ts'
import { automaton, type Automaton } from './pattern-automaton.ts'
import { patternTree, type Pattern } from './pattern-tree.ts'

/** How the steps of a search grow with the length of a text, or why that is too much. */
export type PatternCost = { readonly degree: number } | { readonly refusal: string }

/**
 * What a regular expression costs at worst in a matcher that goes back and tries again, as Node's
 * does. Where a loop can read the same text in two ways, the tries double with every character: that
 * is refused. Where loops that share characters stand behind each other, the steps grow with a power
 * of the length. Never too low; where two loops only look alike it can be too high.
 */
export function patternCost(source: string): PatternCost {
  const tree = patternTree(source)
  let degree = 0
  for (const part of [searched(tree), ...looks(tree)]) {
    const graph = automaton(part)
    if (graph === null) return { refusal: tooLarge }
    const reads = alphabet(graph.places)
    const loops = loopsOf(graph)
    if (loops.some((loop) => isAmbiguous(graph, loop, reads))) return { refusal: endless }
    degree += longestChain(graph, loops, reads)
  }
  return { degree: Math.max(1, degree) }
}

const tooLarge =
  'is too large to be judged, or refers back to a group. Make it smaller, or check less with it.'

const endless =
  'has a loop that can read the same text in two ways, so that some texts would take for ever. ' +
  'Make what is repeated begin or end with a character that is nowhere else in it.'

/** A search tries at every place of the text, unless `^` binds it. */
function searched(tree: Pattern): Pattern {
  const start = tree.is === 'sequence' ? tree.parts[0] : undefined
  if (start?.is === 'edge' && start.source === '^') return tree
  const whatever: Pattern = { is: 'character', source: '[^]' }
  return {
    is: 'sequence',
    parts: [{ is: 'repeat', part: whatever, least: 0, most: Infinity }, tree],
  }
}

/** What is looked for ahead and behind is tried apart. */
function looks(tree: Pattern): readonly Pattern[] {
  if (tree.is === 'look') return [tree.part, ...looks(tree.part)]
  if (tree.is === 'repeat') return looks(tree.part)
  return tree.is === 'sequence' || tree.is === 'either' ? tree.parts.flatMap(looks) : []
}

type Loop = ReadonlySet<number>

/** The sets of places that lead to one another, and so back to themselves. */
function loopsOf({ follow }: Automaton): readonly Loop[] {
  const reached = follow.map((_, place) => reach(follow, [place], () => true))
  const loops: Loop[] = []
  for (const [place, from] of reached.entries()) {
    if (!from.has(place) || loops.some((loop) => loop.has(place))) continue
    loops.push(new Set([...from].filter((other) => reached[other]?.has(place))))
  }
  return loops
}

/** The places that are reached in one step or more, by way of those that pass. */
function reach(
  follow: Automaton['follow'],
  from: Iterable<number>,
  passes: (place: number) => boolean,
): Loop {
  const found = new Set<number>()
  const open = [...from]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    for (const next of follow[place] ?? []) {
      if (found.has(next) || !passes(next)) continue
      found.add(next)
      open.push(next)
    }
  }
  return found
}

/**
 * Whether a loop can read a text in two ways and come back to one place: two readers that start
 * together part, go on reading the same characters, and meet again.
 */
function isAmbiguous({ follow }: Automaton, loop: Loop, reads: readonly bigint[]): boolean {
  const steps = (place: number): readonly number[] =>
    (follow[place] ?? []).filter((next) => loop.has(next))
  if ([...loop].some((place) => new Set(steps(place)).size < steps(place).length)) return true

  const seen = new Set<string>()
  const open: (readonly [number, number])[] = [...loop].map((place) => [place, place])
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [one, other] = pair
    for (const a of steps(one)) {
      for (const b of steps(other)) {
        if (a === b && one === other) continue
        if (((reads[a] ?? 0n) & (reads[b] ?? 0n)) === 0n) continue
        if (a === b) return true
        const name = a < b ? `${a} ${b}` : `${b} ${a}`
        if (seen.has(name)) continue
        seen.add(name)
        open.push([a, b])
      }
    }
  }
  return false
}

/** The most loops of which each can leave characters to the next, or take them from it. */
function longestChain(
  { follow }: Automaton,
  loops: readonly Loop[],
  reads: readonly bigint[],
): number {
  const charactersOf = (loop: Loop): bigint =>
    [...loop].reduce((all, place) => all | (reads[place] ?? 0n), 0n)
  const leads = (loop: Loop, other: Loop): boolean => {
    const shared = charactersOf(loop) & charactersOf(other)
    const reached = reach(follow, loop, (place) => ((reads[place] ?? 0n) & shared) !== 0n)
    return [...other].some((place) => reached.has(place))
  }
  const known = new Map<Loop, number>()
  const chainFrom = (loop: Loop): number => {
    const before = known.get(loop)
    if (before !== undefined) return before
    const after = loops.filter((other) => other !== loop && leads(loop, other))
    const length = 1 + Math.max(0, ...after.map(chainFrom))
    known.set(loop, length)
    return length
  }
  return Math.max(0, ...loops.map(chainFrom))
}
