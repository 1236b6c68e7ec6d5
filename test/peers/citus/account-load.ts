import type { TestContext } from 'node:test'
import { headers, pause, type Fleet } from '../../process/support/fleet.ts'

/** An account of the load, and what came of its messages. */
export interface LoadedAccount {
  readonly id: string
  readonly accepted: Set<string>
  /** Statuses of the answers since `mark`. */
  readonly answers: Map<number, number>
  /** True once an answer 503 had no `Retry-After`. */
  isUnannounced: boolean
  /** What the answers 503 said. */
  readonly reasons: Set<string>
}

/** Messages of several accounts on their way into the fleet. */
export interface AccountLoad {
  readonly accounts: readonly LoadedAccount[]
  /** Forgets the answers so far. */
  mark(): void
  end(): Promise<void>
}

/** Makes accounts with a key and a webhook each, and sends messages of each, one after the other. */
export async function loadAccounts(
  t: TestContext,
  fleet: Fleet,
  receiver: { readonly url: string },
  count: number,
): Promise<AccountLoad> {
  const accounts: LoadedAccount[] = []
  const running: Promise<void>[] = []
  let isOver = false
  t.after(() => {
    isOver = true
  })
  for (let at = 0; at < count; at += 1) {
    const id = `shop${at}`
    const account: LoadedAccount = {
      id,
      accepted: new Set(),
      answers: new Map(),
      isUnannounced: false,
      reasons: new Set(),
    }
    accounts.push(account)
    const key = await keyOf(fleet, id, `${receiver.url}/${id}`)
    running.push(sendAll(fleet, account, key, () => isOver))
  }
  return {
    accounts,
    mark: () => {
      for (const { answers, reasons } of accounts) {
        answers.clear()
        reasons.clear()
      }
    },
    end: async () => {
      isOver = true
      await Promise.all(running)
    },
  }
}

async function keyOf(fleet: Fleet, account: string, url: string): Promise<string> {
  const call = async (method: string, path: string, body: unknown, key: string | null = null) => {
    const given = key === null ? headers : { ...headers, authorization: `Bearer ${key}` }
    const target = `${fleet.at(0)?.url}/v1/${path}`
    const answer = await fetch(target, { method, headers: given, body: JSON.stringify(body) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }
  await call('PUT', `accounts/${account}`, { name: account })
  const { secret }: { secret: string } = await call('POST', 'keys', { account, scopes: ['*'] })
  await call('PUT', 'webhooks/w', { url, statuses: ['ACCEPTED', 'SENT', 'DELIVERED'] }, secret)
  return secret
}

/** Sends until the load is over. What is not accepted is sent again, as it was. */
async function sendAll(
  fleet: Fleet,
  account: LoadedAccount,
  key: string,
  isOver: () => boolean,
): Promise<void> {
  const body = JSON.stringify({ to: '+4915112345678', body: 'hello' })
  for (let sent = 1; !isOver(); sent += 1) {
    const fields = { ...headers, authorization: `Bearer ${key}`, 'idempotency-key': `${sent}` }
    for (let status = 0; status !== 201 && !isOver();) {
      const url = `${fleet.at(sent % fleet.size)?.url}/v1/messages`
      const signal = AbortSignal.timeout(10_000)
      const answer = await fetch(url, { method: 'POST', headers: fields, body, signal }).catch(
        () => null,
      )
      const text = await answer?.text()
      status = answer?.status ?? 0
      account.answers.set(status, (account.answers.get(status) ?? 0) + 1)
      if (status === 201) account.accepted.add(JSON.parse(text ?? '{}').id)
      else await pause(200)
      if (status !== 503) continue
      account.reasons.add(JSON.parse(text ?? '{}').detail)
      if (!answer?.headers.has('retry-after')) account.isUnannounced = true
    }
  }
}

/** Makes accounts with a key and a webhook each, and sends messages when it is asked to. */
export async function sendFrom(
  fleet: Fleet,
  receiver: { readonly url: string },
  count: number,
): Promise<{ send(messages: number, clients: number): Promise<void> }> {
  const keys: string[] = []
  for (let at = 0; at < count; at += 1) {
    keys.push(await keyOf(fleet, `shop${at}`, `${receiver.url}/shop${at}`))
  }
  const body = JSON.stringify({ to: '+4915112345678', body: 'hello' })
  let sent = 0
  const send = async (until: number): Promise<void> => {
    while (sent < until) {
      const key = keys[sent % keys.length] ?? ''
      sent += 1
      const fields = { ...headers, authorization: `Bearer ${key}` }
      const url = `${fleet.at(0)?.url}/v1/messages`
      let answer = await fetch(url, { method: 'POST', headers: fields, body })
      // A busy machine makes the store too slow for so many clients at once.
      while (answer.status === 503) {
        await pause(100)
        answer = await fetch(url, { method: 'POST', headers: fields, body })
      }
      if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
    }
  }
  return {
    send: async (messages, clients) => {
      const until = sent + messages
      await Promise.all(Array.from({ length: clients }, () => send(until)))
    },
  }
}
