import type { AccountId } from '../../../src/core/account.ts'
import {
  answered,
  type Post,
  type Posted,
  type PostRequest,
} from '../../../src/delivery/egress/post.ts'
import type { Hook, Sending } from './hook.ts'
import type { Machine } from './machine.ts'
import { pass, type World } from './world.ts'

/** The receivers of all webhooks, and the network before them. */
export interface Receivers {
  readonly hooks: Map<string, Hook>
  /** How requests leave a process; it may be told of a 2xx that nobody waited for. */
  postOf(machine: Machine, acknowledgesUnheard: (batchId: string) => boolean): Post
}

/** An answer on its way; null where there is none. */
interface Answer {
  readonly status: number
  readonly retryAfter: string | null
}

/** Makes the receivers. The host of a URL is the identifier of its webhook. */
export function receivers(world: World): Receivers {
  const { dice, temper, witness } = world
  const hooks = new Map<string, Hook>()
  const poison = new Map<string, boolean>()

  /** What some receiver does not like it does not like for ever. */
  const isPoison = (account: AccountId, place: number): boolean => {
    const name = `${account} ${place}`
    const known = poison.get(name) ?? dice.strikes(temper.poison)
    poison.set(name, known)
    return known
  }

  /** Of a body that is sent again it is known already. */
  const placesIn = new Map<string, readonly number[]>()
  const placesOf = (account: AccountId, body: string): readonly number[] => {
    const records: unknown[] = JSON.parse(body)
    return records.map((record) => witness.placeOf(account, JSON.stringify(record)) ?? -1)
  }

  const decide = ({ account }: Hook, sending: Sending): Answer | null => {
    const status = (code: number, retryAfter: string | null = null): Answer => ({
      status: code,
      retryAfter,
    })
    if (sending.places.some((place) => isPoison(account, place))) return status(422)
    if (dice.strikes(temper.receiverSilent)) return null
    if (dice.strikes(temper.receiverRefuses)) return status(dice.pick([400, 404, 422]) ?? 400)
    if (dice.strikes(temper.receiverFails)) return status(dice.pick([500, 503, 302, 408]) ?? 500)
    if (dice.strikes(temper.receiverGone)) return status(410)
    if (dice.strikes(temper.receiverAsksToWait)) {
      const waits = ['1', '30', '120', 'soon', '-5', new Date(world.timeline.now()).toUTCString()]
      return status(dice.pick([429, 503]) ?? 429, dice.pick(waits) ?? null)
    }
    return status(dice.pick([200, 204]) ?? 200)
  }

  /** What becomes of a request that has left; what a receiver does it does, whoever waits for it. */
  const travel = async (hook: Hook, sending: Sending): Promise<Posted> => {
    const arrive = async (): Promise<Answer | null> => {
      await pass(world, world.isRough ? 1 + dice.fraction() * 300 : 1)
      const answer = decide(hook, sending)
      if (answer !== null) hook.answered(sending, answer.status)
      return answer
    }
    if (dice.strikes(temper.deliveryTwice)) void arrive()
    const isLost = dice.strikes(temper.deliveryLost)
    if (isLost && dice.fraction() < 0.3) return unreachable
    const answer = isLost && dice.fraction() < 0.3 ? null : await arrive()
    if (isLost && dice.fraction() < 0.5) return unreachable
    if (isLost || answer === null) return new Promise(() => {})
    if (dice.strikes(temper.receiverSlow)) await pass(world, dice.fraction() * 20_000)
    return { outcome: answered(answer.status, answer.retryAfter), response: '' }
  }

  const post = async (
    machine: Machine,
    request: PostRequest,
    signal: AbortSignal,
    acknowledgesUnheard: (batchId: string) => boolean,
  ): Promise<Posted> => {
    if (machine.state() === 'DEAD') return new Promise(() => {})
    const hook = hooks.get(request.url.hostname.split('.')[0] ?? '')
    if (hook === undefined) throw new Error(`there is no ${request.url.href}`)
    const body = Buffer.from(request.body).toString()
    const name = `${hook.account} ${body}`
    const places = placesIn.get(name) ?? placesOf(hook.account, body)
    placesIn.set(name, places)
    const batchId = request.headers['webhook-id'] ?? ''
    const sending = { machine: machine.name, batchId, body, places }
    hook.sending(sending)

    let noMore = (): void => {}
    const timedOut = new Promise<Posted>((resolve) => {
      noMore = machine.clock.after(request.timeoutMs, () => resolve(timeout))
    })
    const calledOff = new Promise<Posted>((resolve) => {
      signal.addEventListener('abort', () => resolve(timeout), { once: true })
    })
    const arrived = machine.through(travel(hook, sending))
    const first = acknowledgesUnheard(batchId) ? [accepted] : [arrived, timedOut, calledOff]
    const posted = await Promise.race(first)
    noMore()
    hook.sent(machine.name)
    return posted
  }

  return {
    hooks,
    postOf: (machine, acknowledgesUnheard) => (request, signal) =>
      post(machine, request, signal, acknowledgesUnheard),
  }
}

const accepted: Posted = { outcome: { kind: 'ACCEPTED', status: 204 }, response: '' }
const timeout: Posted = { outcome: { kind: 'TIMEOUT', detail: 'no answer' }, response: null }
const unreachable: Posted = {
  outcome: { kind: 'UNREACHABLE', detail: 'it was refused' },
  response: null,
}
