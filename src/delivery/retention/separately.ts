/**
 * Does work for one item after the other. A failure, such as that of the server of one account, does not keep
 * the others from theirs; the first failure is thrown at the end.
 */
export async function separately<T>(
  items: AsyncIterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  for await (const item of items) {
    try {
      await work(item)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
