import { replays, type HiddenReplay, type Replay } from '../../../src/collections/replays.ts'
import { timestamp } from '../../../src/core/timestamp.ts'
import {
  initialProgress,
  progressText,
  readProgress,
} from '../../../src/delivery/progress/progress.ts'
import { settle } from '../../support/virtual-clock.ts'
import { ours, type World } from './world.ts'

/** Makes a replay of all that a webhook was sent, and tells its dispatcher, as the rules do. */
export async function addReplay(
  { store, clock }: World,
  webhookId: string,
  id: string,
  given: Partial<Replay> = {},
): Promise<void> {
  const at = timestamp(clock.now())
  const replay = { id, from: timestamp(0), until: null, state: 'WAITING', stateReason: null }
  const instance = { ...replay, endedAt: null, createdAt: at, updatedAt: at, ...given }
  const hidden: HiddenReplay = { statuses: ['DELIVERED'] }
  await store.transact(async (transaction) => {
    await transaction
      .in(ours)
      .save(replays, { parent: webhookId, id }, { ...instance }, { ...hidden })
    const consumer = await transaction.everywhere.findConsumer(ours, webhookId)
    if (consumer === null) throw new Error('there is no such webhook')
    const progress = readProgress(consumer.progress)
    const begun = {
      id,
      position: null,
      end: progress.from ?? consumer.position,
      sent: 0,
      setAside: 0,
      reached: null,
      flow: initialProgress,
    }
    const text = progressText({ ...progress, replays: [...progress.replays, begun] })
    await transaction.consumers.put(ours, webhookId, text)
  })
  await settle(8)
}

/** A replay as it is stored; null where it was removed. */
export async function replayOf(
  { store }: World,
  webhookId: string,
  id: string,
): Promise<Partial<Replay & HiddenReplay> | null> {
  const stored = await store.read(ours, (reader) => reader.find(replays, { parent: webhookId, id }))
  return stored && { ...JSON.parse(stored.doc), ...JSON.parse(stored.hidden ?? '{}') }
}
