/** So many of the numbers below `rows`, spread over all of them, in no order and the same in each run. */
export function picked(rows: number, amount = 200): readonly number[] {
  return Array.from({ length: amount }, (_, index) => (index * 7_919_317 + 4_001) % rows)
}
