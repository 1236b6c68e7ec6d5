import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { Mutation } from './mutation.ts'

/**
 * Draws mutations by a seed, as many of each kind as there are, so that kinds which are rare are not
 * lost. What is drawn depends on the names of files and their text, not on folders or on the order.
 */
export function sample(
  mutations: readonly Mutation[],
  sources: ReadonlyMap<string, string>,
  seed: number,
  count: number,
): readonly Mutation[] {
  const kinds = new Map<string, Ranked[]>()
  const seen = new Map<string, number>()
  for (const mutation of mutations) {
    const { file, start, end, text, kind } = mutation
    const name = [basename(file), kind, sources.get(file)?.slice(start, end), text].join('\n')
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    const ofKind = kinds.get(kind) ?? []
    ofKind.push({ mutation, rank: digest(`${seed}\n${name}\n${times}`) })
    kinds.set(kind, ofKind)
  }
  const ranked = [...kinds.values()].map((ofKind) =>
    ofKind.toSorted((a, b) => (a.rank < b.rank ? -1 : 1)),
  )
  const drawn: Mutation[] = []
  for (let turn = 0; drawn.length < count && ranked.some((kind) => turn < kind.length); turn += 1) {
    drawn.push(...ranked.flatMap((kind) => kind[turn]?.mutation ?? []))
  }
  return drawn.slice(0, count)
}

interface Ranked {
  readonly mutation: Mutation
  readonly rank: string
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
