/** Lets in so many at once, the others in the order in which they came. */
export interface Gate {
  /** Resolves when there is room; whoever is in must leave. */
  enter(): Promise<void>
  leave(): void
  /** How many wait to be let in. */
  waiting(): number
  isEmpty(): boolean
}

/** Makes a gate for `limit` at once. */
export function gate(limit: number): Gate {
  let inside = 0
  /** A set keeps the order, and gives up its first without moving the others. */
  const queue = new Set<() => void>()

  return {
    enter: () => {
      if (inside < limit) {
        inside += 1
        return Promise.resolve()
      }
      return new Promise((resolve) => queue.add(resolve))
    },
    leave: () => {
      const [first] = queue
      if (first === undefined) {
        inside -= 1
      } else {
        queue.delete(first)
        first()
      }
    },
    waiting: () => queue.size,
    isEmpty: () => inside === 0,
  }
}
