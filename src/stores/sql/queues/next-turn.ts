/** Waits for the next turn of the event loop: what has arrived by then is dealt with first. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
