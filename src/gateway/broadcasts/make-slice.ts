import type { Instant } from '../../core/ports/clock.ts'
import { timestamp } from '../../core/timestamp.ts'
import type { Broadcast, SkipReason } from '../../collections/broadcasts.ts'
import { messages } from '../../collections/messages.ts'
import { draftsOf } from './draft.ts'
import { exactCredits } from './exact-credits.ts'
import { saveProgress, stopped, type Job, type BroadcastProgress } from './job.ts'
import { makeMessage } from './make-message.ts'
import { recipientsBehind, type RecipientPage, type RecipientCursor } from './recipients.ts'
import { filterRecipients } from './filter-recipients.ts'
import { templateOf } from './template.ts'

/** The most recipients of one transaction: others wait for it to end. */
const sliceMax = 100

/**
 * So long a transaction makes messages. From the first that costs something it holds the credits of its
 * account, and whoever sends a single message meanwhile is refused after waiting for 1.5 s.
 */
const heldMs = 250

/**
 * So many messages of a broadcast wait for their carrier at most. The rest is made as they go, so that
 * one broadcast does not stand in the way of another, and one that is paused soon sends no more.
 */
const waitingMax = 5000

/** How soon it is looked again whether fewer wait. */
const lookMs = 50

/**
 * Makes the next messages of a broadcast. They, and how far it has come, are of one commit: no slice is
 * made twice. Returns when to go on, or null where nothing is left to do.
 */
export async function makeSlice(job: Job): Promise<Instant | null> {
  const { broadcast, now, writer, tally } = job
  const { state, validUntil } = broadcast
  if (state !== 'RUNNING' && state !== 'SCHEDULED') return null
  if (validUntil !== null && validUntil <= timestamp(now)) {
    await saveProgress(job, stopped('DONE', 'EXPIRED', now))
    return null
  }
  const counts = (await writer.findCounters(writer.account, [tally])).get(tally)
  if ((counts?.['ACCEPTED'] ?? 0) >= waitingMax) return now + lookMs

  const page = await recipientsBehind(writer, broadcast.to, job.place, sliceMax)
  const done = await serve(job, page)
  const startedAt = broadcast.startedAt ?? timestamp(now)
  const isThrough = done.place === page.seen.at(-1)?.behind || page.seen.length === 0
  const end = isThrough ? ending(page, now) : null
  const ended = done.stopped === null ? end : stopped('PAUSED', done.stopped, now)
  const { recipients, creditCost, place } = done
  await saveProgress(job, {
    state: 'RUNNING',
    startedAt,
    recipients,
    creditCost,
    place,
    ...ended,
  })
  return ended === null ? now : null
}

/** The end, where there are no recipients behind this page. */
function ending({ isLast, groupGone }: RecipientPage, now: Instant): BroadcastProgress | null {
  return isLast ? stopped('DONE', groupGone ? 'GROUP_GONE' : null, now) : null
}

/** What was done of a page, and where to go on. */
interface Served {
  readonly recipients: Broadcast['recipients']
  readonly creditCost: number
  readonly place: RecipientCursor
  readonly stopped: Broadcast['stateReason']
}

/** Serves recipients one by one while there is time, up to the first whose message nobody could have now. */
async function serve(job: Job, page: RecipientPage): Promise<Served> {
  const { broadcast, clock, defaults, writer, newId, now } = job
  const from = broadcast.from ?? defaults.defaultSender
  const template = templateOf(broadcast)
  const verdicts = await filterRecipients(writer, page.seen, {
    broadcast: broadcast.id,
    from,
    template,
  })

  const draft = draftsOf(broadcast, now)
  let { recipients, creditCost } = broadcast
  let place = job.place
  const until = clock.monotonic() + heldMs
  for (const [index, verdict] of verdicts.entries()) {
    const made =
      'skipped' in verdict
        ? verdict
        : await makeMessage(job, draft({ id: newId(messages.noun), ...verdict }))
    if ('stopped' in made) return { recipients, creditCost, place, stopped: made.stopped }
    if ('message' in made) creditCost = exactCredits(creditCost + made.message.creditCost)
    recipients = counting(recipients, 'message' in made ? 'messages' : made.skipped)
    place = page.seen[index]?.behind ?? place
    if (clock.monotonic() >= until) break
  }
  return { recipients, creditCost, place, stopped: null }
}

function counting(
  recipients: Broadcast['recipients'],
  what: 'messages' | SkipReason,
): Broadcast['recipients'] {
  return { ...recipients, seen: recipients.seen + 1, [what]: recipients[what] + 1 }
}
