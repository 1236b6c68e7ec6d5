import type { Replay } from '../../../src/collections/replays.ts'
import { timestamp } from '../../../src/core/timestamp.ts'
import type { Hook } from './hook.ts'
import type { Requests } from './requests.ts'
import { pass, type World } from './world.ts'

/** A client that has notifications sent again, and at times thinks better of it. */
export interface Replayer {
  begin(hook: Hook): Promise<void>
}

/** Makes it; `messages` shows those that it may choose. */
export function replayer(
  { dice, timeline, ...world }: World,
  { ask, expect }: Requests,
  messages: () => Iterable<string>,
): Replayer {
  let names = 0

  const selection = (): Record<string, unknown> => {
    const from = timeline.now() - Math.floor(dice.fraction() * 200_000)
    const until = dice.fraction() < 0.2 ? { until: timestamp(from + 1 + dice.below(100_000)) } : {}
    const types = dice.fraction() < 0.2 ? { types: ['SENT'] } : {}
    const chosen = [...messages()].slice(-5)
    const messageIds = dice.fraction() < 0.2 && chosen.length > 0 ? { messageIds: chosen } : {}
    const failedOnly = dice.fraction() < 0.2 ? { failedOnly: true } : {}
    return { from: timestamp(from), ...until, ...types, ...messageIds, ...failedOnly }
  }

  return {
    begin: async (hook) => {
      const target = `/v1/webhooks/${hook.id}/replays`
      const headers = { 'idempotency-key': `replay-${(names += 1)}` }
      const made = { method: 'POST', target, headers, body: selection() }
      const answer = await ask(made)
      // It has ten of them to go, or its owner has deleted it.
      if (!expect(made, answer, 201, 409, ...(hook.isDeleted ? [404] : []))) return
      if (answer.status !== 201 || dice.fraction() < 0.8) return
      const { id } = JSON.parse(answer.text) as Replay
      await pass({ timeline }, dice.fraction() * 3000)
      const body = { state: 'CANCELLED' }
      const cancel = { method: 'PATCH', target: `${target}/${id}`, body }
      expect(cancel, await ask(cancel), 200, 409, ...(hook.isDeleted ? [404] : []))
      world.note(`${id} is cancelled`)
    },
  }
}
