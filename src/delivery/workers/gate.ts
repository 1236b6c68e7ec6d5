/** Semaphore with a first-in, first-out queue. */
export interface Gate {
  /** Resolves when there is room; the caller must leave. */
  enter(): Promise<void>
  leave(): void
  /** Returns the length of the queue. */
  waiting(): number
  isEmpty(): boolean
}

/** Creates a gate for `limit` simultaneous callers. */
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
