/** Somebody who waits for a time. */
export interface Waiter {
  readonly due: number
  /** Of those due together the first to come is the first to be woken. */
  readonly order: number
  readonly wake: () => void
  /** It was woken, or called off. */
  isOver: boolean
}

/** Those who wait, so that the next is found at once among many. */
export interface WaiterHeap {
  add(waiter: Waiter): void
  first(): Waiter | undefined
  takeFirst(): void
}

/** Makes an empty heap. */
export function waiterHeap(): WaiterHeap {
  const all: Waiter[] = []

  const sink = (moved: Waiter): void => {
    let at = 0
    for (;;) {
      const [left, right] = [all[2 * at + 1], all[2 * at + 2]]
      const child = right !== undefined && left !== undefined && isBefore(right, left) ? 2 : 1
      const least = child === 2 ? right : left
      if (least === undefined || isBefore(moved, least)) break
      all[at] = least
      at = 2 * at + child
    }
    all[at] = moved
  }

  return {
    first: () => all[0],
    add: (waiter) => {
      let at = all.length
      while (at > 0) {
        const above = (at - 1) >> 1
        const parent = all[above]
        if (parent === undefined || isBefore(parent, waiter)) break
        all[at] = parent
        at = above
      }
      all[at] = waiter
    },
    takeFirst: () => {
      const last = all.pop()
      if (last !== undefined && all.length > 0) sink(last)
    },
  }
}

function isBefore(a: Waiter, b: Waiter): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order)
}
