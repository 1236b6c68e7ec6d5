import type { Answer, Ask } from './node.ts'

/** How a careful client asks. */
export interface Requests {
  /** Repeats a request until it is answered for good. Tells whether the first answer was it. */
  ask(request: Ask): Promise<Answer & { readonly atOnce: boolean }>
  /** Whether the answer is one of those wanted; complains where it is not. */
  expect(request: Ask, answer: Answer, ...wanted: readonly number[]): boolean
}
