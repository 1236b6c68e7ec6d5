import type { Message } from '../../../src/collections/messages.ts'
import { type AccountId, defaultAccount } from '../../../src/core/account.ts'
import type { LogFilter } from '../../../src/core/ports/notification-log.ts'
import { timestamp } from '../../../src/core/timestamp.ts'
import { broadcaster, type Broadcaster } from './broadcaster.ts'
import type { Client } from './clients.ts'
import { Hook } from './hook.ts'
import type { Answer, Ask, Node } from './node.ts'
import type { Phones } from './phones.ts'
import { replayer } from './replayer.ts'
import { pass, type World } from './world.ts'

/** What a client did, and what it was answered. */
export interface Owner {
  readonly account: AccountId
  /** Messages that it was told are accepted. */
  readonly accepted: ReadonlySet<string>
  /** Those that it asked to be deleted, with how often the carrier had been handed them when it was told so. */
  readonly removed: ReadonlyMap<string, number | null>
  /** Those that it was told are cancelled, with how often they had been handed to the carrier by then. */
  readonly cancelled: ReadonlyMap<string, number>
  /** By idempotency key, the messages that it was told of. */
  readonly byKey: ReadonlyMap<string, ReadonlySet<string>>
  /** Does one thing, in its own time. */
  act(): void
  addHook(): void
  /** Makes a webhook active that is not. */
  revive(hook: Hook): Promise<void>
  readonly broadcasts: Broadcaster
  /** How many requests it still repeats. */
  open(): number
}

/** What a client works with. */
export interface Surroundings {
  readonly nodes: readonly Node[]
  readonly phones: Phones
  readonly hooks: Map<string, Hook>
}

const ours = '+27000000001'
const filters: readonly LogFilter[] = [
  { types: ['RECEIVED', 'SENT'], statuses: ['DELIVERED', 'FAILED', 'UNKNOWN', 'CANCELLED'] },
  { types: ['SENT'], statuses: ['SCHEDULED', 'ACCEPTED', 'SENT', 'DELIVERED', 'FAILED'] },
  { types: ['RECEIVED', 'SENT'], statuses: ['DELIVERED'] },
  { types: ['RECEIVED'], statuses: ['FAILED'] },
]

/** Makes the client of an account. It repeats what was not answered, as careful clients do. */
export function owner(
  world: World,
  { account, key }: Client,
  { nodes, phones, hooks }: Surroundings,
): Owner {
  const { dice, temper } = world
  // Numbers and recipients belong to one account.
  const isFirst = account === defaultAccount
  const prefix = isFirst ? '' : `${account}-`
  const accepted = new Set<string>()
  const removed = new Map<string, number | null>()
  const cancelled = new Map<string, number>()
  const byKey = new Map<string, Set<string>>()
  let names = 0
  let open = 0

  const askOnce = async (request: Ask): Promise<Answer | null> => {
    await pass(world, 1)
    if (dice.strikes(temper.requestLost)) return null
    const answer = (await dice.pick(nodes)?.ask({ ...request, key })) ?? null
    return dice.strikes(temper.answerLost) ? null : answer
  }

  /** Repeats a request until it is answered for good. Tells whether the first answer was it. */
  const ask = async (request: Ask): Promise<Answer & { readonly atOnce: boolean }> => {
    open += 1
    for (let atOnce = true; ; atOnce = false) {
      const answer = await askOnce(request)
      if (answer !== null && answer.status < 500 && answer.status !== 429) {
        open -= 1
        world.note(`${request.method} ${request.target} ${answer.status}`)
        return { ...answer, atOnce }
      }
      await pass(world, 500 + dice.fraction() * 2000)
    }
  }

  const expect = (
    request: Ask,
    { status, text }: Answer,
    ...wanted: readonly number[]
  ): boolean => {
    if (wanted.includes(status)) return true
    world.complain(`${request.method} ${request.target} is answered ${status}: ${text}`)
    return false
  }

  const broadcasts = broadcaster(world, { ask, expect })
  const replays = replayer(world, { ask, expect }, () => accepted)

  const content = (): Record<string, unknown> => {
    const later = timestamp(world.timeline.now() + 70_000 + dice.below(60_000))
    return {
      to: dice.fraction() < 0.9 ? '+4915112345678' : '+4915187654321',
      from: ours,
      body: 'a'.repeat(dice.fraction() < 0.8 ? 10 : 400),
      ...(dice.fraction() < 0.15 ? { scheduledAt: later } : {}),
    }
  }

  const sendWithKey = async (): Promise<void> => {
    const name = `${prefix}key-${(names += 1)}`
    const headers = { 'idempotency-key': name }
    const body = { ...content(), userSuppliedId: name }
    const request = { method: 'POST', target: '/v1/messages', body, headers }
    const known = new Set<string>()
    byKey.set(name, known)
    for (let again = 0; again < 1 || dice.strikes(0.3); again += 1) {
      const answer = await ask(request)
      // With clocks that jump, a time may lie in the past when the first request arrives.
      if ('scheduledAt' in body && answer.status === 400) return
      if (!expect(request, answer, 201)) return
      const { id } = JSON.parse(answer.text) as Message
      known.add(id)
      accepted.add(id)
    }
  }

  const sendOnce = async (): Promise<void> => {
    const answer = await askOnce({ method: 'POST', target: '/v1/messages', body: content() })
    if (answer?.status === 201) accepted.add((JSON.parse(answer.text) as Message).id)
  }

  const put = async (): Promise<void> => {
    const id = `${prefix}put-${(names += 1)}`
    const request = { method: 'PUT', target: `/v1/messages/${id}`, body: content() }
    for (let again = 0; again < 1 || dice.strikes(0.5); again += 1) {
      const answer = await ask(request)
      if ('scheduledAt' in request.body && answer.status === 400) return
      if (removed.has(id)) return
      if (!expect(request, answer, 200)) return
      accepted.add(id)
      await pass(world, dice.fraction() * 3000)
    }
  }

  const messages = (): readonly string[] =>
    [...accepted].filter((id) => !removed.has(id) && !cancelled.has(id))
  const aMessage = (): string | undefined => dice.pick(messages())

  const remove = async (): Promise<void> => {
    const waiting = messages().filter((id) => phones.waiting.has(id))
    const id = dice.pick(waiting.length > 0 ? waiting : messages().slice(-3))
    if (id === undefined || id.includes('put-')) return
    removed.set(id, null)
    const request = { method: 'DELETE', target: `/v1/messages/${id}` }
    const answer = await ask(request)
    expect(request, answer, 204, 404)
    if (answer.status === 204) removed.set(id, phones.handed.get(id) ?? 0)
  }

  const cancel = async (): Promise<void> => {
    const id = aMessage()
    if (id === undefined) return
    const body = { status: { type: 'CANCELLED' } }
    const request = { method: 'PATCH', target: `/v1/messages/${id}`, body }
    const answer = await ask(request)
    if (!expect(request, answer, 200, 409, ...(removed.has(id) ? [404] : []))) return
    if (answer.status === 200) cancelled.set(id, phones.handed.get(id) ?? 0)
  }

  const onHook = async (hook: Hook, work: () => Promise<void>): Promise<void> => {
    if (hook.isBusy || hook.isDeleted) return
    hook.isBusy = true
    await work()
    hook.isBusy = false
  }

  const change = async (hook: Hook, body: Record<string, unknown>): Promise<boolean> => {
    const request = { method: 'PATCH', target: `/v1/webhooks/${hook.id}`, body }
    const answer = await ask(request)
    expect(request, answer, 200)
    return answer.atOnce
  }

  const choose = (hook: Hook): Promise<void> =>
    onHook(hook, async () => {
      const filter = dice.pick(filters) ?? { types: [], statuses: [] }
      hook.choose(filter)
      const maxBatch = 1 + dice.below(6)
      hook.chosen(await change(hook, { ...filter, maxBatch }))
    })

  const changeManner = (hook: Hook): Promise<void> =>
    onHook(hook, async () => {
      const manners = [
        { url: `https://${hook.id}.test/${dice.below(9)}` },
        { active: false },
        { active: true },
        { maxWaitMs: dice.below(3) * 1000 },
        { timeoutMs: 1000 + dice.below(20_000) },
        { secret: null },
        { description: `number ${dice.below(9)}` },
      ]
      await change(hook, dice.pick(manners) ?? {})
    })

  const removeHook = (hook: Hook): Promise<void> =>
    onHook(hook, async () => {
      hook.isDeleted = true
      const request = { method: 'DELETE', target: `/v1/webhooks/${hook.id}` }
      expect(request, await ask(request), 204, 404)
    })

  const addHook = (): void => {
    const hook = new Hook(`w${hooks.size + 1}`, account, world)
    hooks.set(hook.id, hook)
    void onHook(hook, async () => {
      const filter = dice.pick(filters.slice(0, 3)) ?? { types: [], statuses: [] }
      hook.choose(filter)
      const url = `https://${hook.id}.test/`
      const body = { url, ...filter, maxBatch: 1 + dice.below(6), timeoutMs: 5000 }
      const request = { method: 'PUT', target: `/v1/webhooks/${hook.id}`, body }
      const answer = await ask(request)
      expect(request, answer, 200)
      hook.chosen(answer.atOnce)
      hook.owedFrom = world.witness.entriesOf(account).length
    })
  }

  const aHook = (): Hook | undefined =>
    dice.pick([...hooks.values()].filter((hook) => hook.account === account))

  const editHook = (): void => {
    const hook = aHook()
    if (hook === undefined) return
    const what = dice.fraction()
    if (what < 0.1 && hooks.size < 8) addHook()
    else if (what < 0.15) void removeHook(hook)
    else if (what < 0.5) void choose(hook)
    else void changeManner(hook)
  }

  const sendAgain = (): void => {
    const hook = aHook()
    if (hook !== undefined) void onHook(hook, () => replays.begin(hook))
  }

  return {
    account,
    accepted,
    broadcasts,
    removed,
    cancelled,
    byKey,
    addHook,
    open: () => open,
    revive: (hook) => onHook(hook, async () => void (await change(hook, { active: true }))),
    act: () => {
      if (dice.strikes(temper.edits)) return editHook()
      if (dice.strikes(temper.replays)) return sendAgain()
      if (isFirst && dice.strikes(temper.broadcasts)) return void broadcasts.begin()
      const what = dice.fraction()
      if (what < 0.4) void sendWithKey()
      else if (what < 0.6) void sendOnce()
      else if (what < 0.75) void put()
      else if (what < 0.8) void remove()
      else if (what < 0.9) void cancel()
      else if (!isFirst) void sendOnce()
      else {
        const text =
          dice.fraction() < 0.2 ? (dice.pick(['STOP', 'START']) ?? '') : `hi ${(names += 1)}`
        phones.text('+4915112345678', ours, text)
      }
    },
  }
}
