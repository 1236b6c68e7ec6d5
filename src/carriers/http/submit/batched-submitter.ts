import { mergeKey } from './merge-requests.ts'
import type { HttpSettings } from '../settings.ts'
import {
  submitParts,
  type PartResult,
  type SubmitPartOptions,
  type WaitingPart,
} from './submit-parts.ts'

/** Submits one part, alone or with others. */
export type SubmitPart = (waiting: WaitingPart, signal: AbortSignal) => Promise<PartResult>

interface Queued {
  readonly waiting: WaitingPart
  readonly signal: AbortSignal
  readonly decide: (result: PartResult) => void
}

interface Group {
  readonly queued: Queued[]
  readonly cancel: () => void
}

/** Creates the function that submits parts: several in one request if the settings have `batch`. */
export function batchedSubmitter(options: SubmitPartOptions): SubmitPart {
  const { batch } = options.settings
  const alone: SubmitPart = async (waiting, signal) => {
    const [result] = (await submitParts(options, [waiting], signal)) ?? []
    return result ?? unanswered
  }
  return batch === null ? alone : inGroups(options, batch, alone)
}

function inGroups(
  options: SubmitPartOptions,
  batch: NonNullable<HttpSettings['batch']>,
  alone: SubmitPart,
): SubmitPart {
  const groups = new Map<string, Group>()
  const flush = (key: string): void => {
    const group = groups.get(key)
    if (group === undefined) return
    group.cancel()
    groups.delete(key)
    void submitGroup(options, group.queued, alone)
  }
  return (waiting, signal) => {
    const key = mergeKey(waiting.part, batch)
    if (key === null) return alone(waiting, signal)
    const { promise, resolve } = Promise.withResolvers<PartResult>()
    let group = groups.get(key)
    if (group === undefined) {
      group = { queued: [], cancel: options.clock.after(batch.waitMs, () => flush(key)) }
      groups.set(key, group)
    }
    group.queued.push({ waiting, signal, decide: resolve })
    if (group.queued.length >= batch.size) flush(key)
    return promise
  }
}

async function submitGroup(
  options: SubmitPartOptions,
  queued: readonly Queued[],
  alone: SubmitPart,
): Promise<void> {
  const signal = AbortSignal.any(queued.map((each) => each.signal))
  const results = await submitParts(
    options,
    queued.map(({ waiting }) => waiting),
    signal,
  )
  for (const [index, { waiting, signal: own, decide }] of queued.entries()) {
    if (results === null) void alone(waiting, own).then(decide)
    else decide(results[index] ?? unanswered)
  }
}

const unanswered: PartResult = { kind: 'UNCERTAIN', reason: 'there is no result for the part' }
