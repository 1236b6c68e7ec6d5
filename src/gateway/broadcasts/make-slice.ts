import type { Instant } from '../../core/ports/clock.ts'
import { timestamp } from '../../core/timestamp.ts'
import { limitsOfAccount } from '../../collections/accounts.ts'
import type { Broadcast, SkipReason } from '../../collections/broadcasts.ts'
import { messages } from '../../collections/messages.ts'
import { draftsOf, exactCredits, makeMessage } from './make-message.ts'
import { saveProgress, stopped, type Job, type BroadcastProgress } from './job.ts'
import { recipientsAfter, type RecipientPage, type RecipientCursor } from './recipient-page.ts'
import { filterRecipients } from './filter-recipients.ts'
import { templateOf } from './template.ts'

/** The most recipients in one transaction, which blocks other writers. */
const sliceMax = 100

/**
 * The time limit of a slice. From its first charge the transaction locks the credits of its
 * account, and a single message of that account is refused after waiting 1.5 s.
 */
const heldMs = 250

/**
 * The most messages of one broadcast that wait for their carrier. The rest is created as these
 * leave, so that broadcasts do not block each other and a paused one soon stops.
 */
const waitingMax = 5000

/** The interval of checking how many wait. */
const lookMs = 50

/** The interval of checking whether an account that is at its limit has room again. */
const fullLookMs = 1000

/**
 * Creates the next messages of a broadcast and stores the cursor in the same commit, so no slice is
 * created twice. Returns when to continue, or null if all is done.
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

  const room = await waitingRoom(job)
  if (room === 0) return now + fullLookMs

  const page = await recipientsAfter(writer, broadcast.to, job.place, Math.min(sliceMax, room))
  const done = await serve(job, page)
  const made = done.recipients.messages - broadcast.recipients.messages
  job.defaults.waiting?.add(writer.account, made, Infinity)
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

/** Returns how many messages of the account may still wait for a carrier. */
async function waitingRoom({ writer, transaction, defaults }: Job): Promise<number> {
  const { waiting, limits } = defaults
  if (waiting === undefined || limits === undefined) return Infinity
  const { waitingMessages } = await limitsOfAccount(writer.account, transaction, limits)
  return waiting.room(writer.account, waitingMessages)
}

/** Returns the final state after the last page; null before it. */
function ending({ isLast, groupGone }: RecipientPage, now: Instant): BroadcastProgress | null {
  return isLast ? stopped('DONE', groupGone ? 'GROUP_GONE' : null, now) : null
}

/** The progress within a page, and the cursor to continue from. */
interface Served {
  readonly recipients: Broadcast['recipients']
  readonly creditCost: number
  readonly place: RecipientCursor
  readonly stopped: Broadcast['stateReason']
}

/**
 * Creates messages one by one within the time limit, up to the first that no recipient could have
 * now.
 */
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
