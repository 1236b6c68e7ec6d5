import type { Choice } from './choice.ts'
import type { CompiledQuery, AccessPath } from './route.ts'

/** Choices of routes that were made lately. They decide how long a page takes, never what is on it. */
export interface Choices {
  /** The choice for a query, made anew by `make` where none is remembered or it is worn out. */
  of(asked: CompiledQuery, make: () => Promise<Choice>): Promise<Choice>
}

/** So many queries are remembered; then all are chosen for anew. */
const queriesMax = 1000

/** A choice serves so many pages, since what is stored changes. To choose costs about as much as a page. */
const usesMax = 50

/** Remembers choices: many clients ask the same few questions again and again. */
export function choices(): Choices {
  const made = new Map<string, { readonly choice: Choice; uses: number }>()
  return {
    of: async (asked, make) => {
      const name = nameOf(asked)
      const known = made.get(name)
      if (known !== undefined && known.uses < usesMax) {
        known.uses += 1
        return known.choice
      }
      const choice = await make()
      if (made.size >= queriesMax) made.clear()
      made.set(name, { choice: lasting(choice), uses: 1 })
      return choice
    },
  }
}

/** A choice without what its routes led to just now, which may be elsewhere for the next who asks. */
function lasting({ route, otherwise }: Choice): Choice {
  return { route: withoutFound(route), otherwise: withoutFound(otherwise) }
}

function withoutFound(route: AccessPath): AccessPath {
  return route.kind === 'words' ? { kind: 'words', searched: route.searched } : route
}

function nameOf({ table, scope, query }: CompiledQuery): string {
  const { conditions, searchTerms: words, sort } = query
  return JSON.stringify([table.name, String(scope.account), scope.parent, conditions, words, sort])
}
