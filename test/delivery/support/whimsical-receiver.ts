import type { ExpectedOrder } from './expected-order.ts'
import { meanings, whims, type Run } from './whims.ts'
import type { Sent, World } from './world.ts'

/** What the receiver of a run goes by. */
export interface Whimsical {
  /** The records that it refuses whenever they are in a batch. */
  readonly poison: ReadonlySet<string>
  /** The order that a request is of. */
  readonly orderOf: (sent: Sent) => ExpectedOrder
  /** Has the node die, before what was answered is written down. */
  readonly crash: () => void
}

/**
 * Lets the receiver of the webhook `w` do what a run says, request by request, and checks each of them.
 * Returns what was wrong with them, which grows while the run is played.
 */
export function receiveOnWhims(
  world: World,
  run: Run,
  { poison, orderOf, crash }: Whimsical,
): readonly unknown[] {
  const broken: unknown[] = []
  world.receive('https://w.test/', (sent) => {
    const order = orderOf(sent)
    try {
      order.check(sent)
    } catch (error) {
      broken.push(error)
    }
    const isPoisoned = sent.messageIds.some((name) => poison.has(name))
    const whim = run.whims[world.sent.length - 1] ?? 'accept'
    const answer = whim === 'accept' && isPoisoned ? 'refuse' : whim
    order.note(sent, meanings[answer] ?? 'failed')
    if (run.crashes.includes(world.sent.length)) crash()
    return whims[answer]
  })
  return broken
}
