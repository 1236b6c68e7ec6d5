import { plainBody, startSmsc, noTlvs, type Session } from '../../carriers/smpp/support/smsc.ts'
import type { Body } from '../../../src/carriers/smpp/pdus/pdu.ts'

/** What the message centre has seen. */
export interface Tally {
  /** How often each text was submitted. */
  readonly submitted: Readonly<Record<string, number>>
  /** Receipts that were answered, and those that are still to be. */
  readonly receipted: number
  readonly unreceipted: number
  /** Receipts that were brought over another connection than that which submitted. */
  readonly elsewhere: number
  /** How many connections it ever had that bound, and how many are open. */
  readonly binds: number
  readonly open: number
  /** The most submissions that came within a second. */
  readonly perSecondMax: number
  /** The most submissions that waited for their answers at once. */
  readonly inFlightMax: number
}

// A message centre in a process of its own, which outlives those who are killed: it takes everything and
// keeps each receipt until that is answered, as real ones do. Asked anything, it says what it has seen.
const delayMs = Number(process.argv[2] ?? 0)
const submitted: Record<string, number> = {}
interface Owed {
  readonly body: Body<'deliver_sm'>
  readonly submittedOver: Session
}

const owed = new Map<string, Owed>()
const sent = new WeakMap<Session, Set<string>>()
const times: number[] = []
let [count, elsewhere, receipted, binds, inFlight, inFlightMax] = [0, 0, 0, 0, 0, 0]

const smsc = await startSmsc({
  onBind: (_, session) => {
    binds += 1
    sent.set(session, new Set())
    setImmediate(() => bring())
    return 0
  },
  onSubmit: ({ body, sequence }, session) => {
    times.push(performance.now())
    const text = Buffer.from(body.short_message).toString('latin1')
    submitted[text] = (submitted[text] ?? 0) + 1
    count += 1
    const messageId = String(count)
    owed.set(messageId, { body: receiptOf(messageId, body), submittedOver: session })
    inFlight += 1
    inFlightMax = Math.max(inFlightMax, inFlight)
    const command = 'submit_sm_resp'
    setTimeout(() => {
      inFlight -= 1
      const answer = { message_id: messageId }
      session.send({ command, status: 0, sequence, body: answer, tlvs: noTlvs })
      bring()
    }, delayMs)
    return null
  },
})

/** Over any bind there is, the last one first: not that which submitted. */
function bring(): void {
  const session = smsc.sessions.findLast(({ boundWith }) => boundWith !== null)
  const known = session && sent.get(session)
  if (session === undefined || known === undefined) return
  for (const [messageId, { body, submittedOver }] of owed) {
    if (known.has(messageId)) continue
    known.add(messageId)
    if (submittedOver !== session) elsewhere += 1
    void session.request('deliver_sm', body).then(({ status }) => {
      if (status !== 0) return known.delete(messageId)
      receipted += 1
      return owed.delete(messageId)
    })
  }
}

function receiptOf(messageId: string, body: Body<'submit_sm'>): Body<'deliver_sm'> {
  const dates = 'submit date:2611210900 done date:2611210900'
  const text = `id:${messageId} sub:001 dlvrd:001 ${dates} stat:DELIVRD err:000 text:`
  return {
    ...plainBody,
    source_addr: body.destination_addr,
    destination_addr: body.source_addr,
    esm_class: 0x04,
    short_message: Buffer.from(text, 'latin1'),
  }
}

function perSecondMax(): number {
  let [most, first] = [0, 0]
  for (const [last, time] of times.entries()) {
    while ((times[first] ?? time) < time - 1000) first += 1
    most = Math.max(most, last - first + 1)
  }
  return most
}

process.on('message', () => {
  const tally: Tally = {
    submitted,
    receipted,
    unreceipted: owed.size,
    elsewhere,
    binds,
    open: smsc.sessions.filter(({ boundWith }) => boundWith !== null).length,
    perSecondMax: perSecondMax(),
    inFlightMax,
  }
  process.send?.(tally)
})
process.on('disconnect', () => process.exit())
process.send?.({ port: smsc.port })
