import type { Pattern } from './pattern-tree.ts'

/** A regular expression as the places where it reads a character (Glushkov's automaton). */
export interface Automaton {
  /** What each place reads: the source of a character class. */
  readonly places: readonly string[]
  /** The places that may follow each; one that may follow in two ways stands twice. */
  readonly follow: readonly (readonly number[])[]
}

/** Larger automata are not looked at: comparing every two places would take long. */
const placesMax = 200

/** Repetitions up to here are written out; longer ones are taken for endless. */
const copiesMax = 8

/**
 * Makes the automaton of a pattern; null where it is too large, or refers back. What looks ahead or
 * behind reads nothing of its own.
 */
export function automaton(pattern: Pattern): Automaton | null {
  const graph: Graph = { places: [], follow: [], sound: true }
  build(pattern, graph)
  return graph.sound ? graph : null
}

interface Graph {
  readonly places: string[]
  readonly follow: number[][]
  sound: boolean
}

/** A piece of a graph: where it begins and ends, and whether it can be passed without reading. */
interface Piece {
  readonly first: readonly number[]
  readonly last: readonly number[]
  readonly nullable: boolean
}

const nothing: Piece = { first: [], last: [], nullable: true }

function build(pattern: Pattern, graph: Graph): Piece {
  if (!graph.sound) return nothing
  switch (pattern.is) {
    case 'character':
      return place(pattern.source, graph)
    case 'sequence':
      return pattern.parts.reduce<Piece>(
        (before, part) => behind(before, build(part, graph), graph),
        nothing,
      )
    case 'either': {
      const pieces = pattern.parts.map((part) => build(part, graph))
      return {
        first: pieces.flatMap(({ first }) => first),
        last: pieces.flatMap(({ last }) => last),
        nullable: pieces.some(({ nullable }) => nullable),
      }
    }
    case 'repeat':
      return repeat(pattern.part, pattern.least, pattern.most, graph)
    case 'back':
      graph.sound = false
      return nothing
    case 'edge':
    case 'look':
      return nothing
  }
}

function place(source: string, graph: Graph): Piece {
  const index = graph.places.push(source) - 1
  graph.follow.push([])
  graph.sound &&= index < placesMax
  return { first: [index], last: [index], nullable: false }
}

function behind(before: Piece, after: Piece, graph: Graph): Piece {
  link(before, after, graph)
  return {
    first: before.nullable ? [...before.first, ...after.first] : before.first,
    last: after.nullable ? [...before.last, ...after.last] : after.last,
    nullable: before.nullable && after.nullable,
  }
}

/** `a{2,4}` is `aa(a(a)?)?`: written otherwise it could be read in several ways. */
function repeat(part: Pattern, least: number, most: number, graph: Graph): Piece {
  if (most > copiesMax) {
    const piece = build(part, graph)
    link(piece, piece, graph)
    return { ...piece, nullable: piece.nullable || least === 0 }
  }
  let piece = nothing
  for (let count = most; count > 0; count -= 1) {
    piece = behind(build(part, graph), piece, graph)
    if (count > least) piece = { ...piece, nullable: true }
  }
  return piece
}

function link(from: Piece, to: Piece, graph: Graph): void {
  for (const last of from.last) graph.follow[last]?.push(...to.first)
}
