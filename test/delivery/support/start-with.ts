import type { TestContext } from 'node:test'
import { defaultAccount } from '../../../src/core/account.ts'
import type { Posted, PostRequest } from '../../../src/delivery/egress/post.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { settle } from '../../support/virtual-clock.ts'
import { status } from './world.ts'

/** The service, what its receiver was sent, and a way to make notifications without messages. */
export interface ApiWithReceiver extends TestApi {
  readonly sent: PostRequest[]
  notify(...ids: readonly string[]): Promise<void>
}

/** The service with a receiver that answers as told. */
export async function startWith(
  t: TestContext,
  answer: (request: PostRequest) => number | Posted | Promise<number | Posted> = () => 204,
): Promise<ApiWithReceiver> {
  const sent: PostRequest[] = []
  const post = async (request: PostRequest): Promise<Posted> => {
    sent.push(request)
    const answered = await answer(request)
    return typeof answered === 'number' ? status(answered) : answered
  }
  const api = await startApi(t, { post })
  const notify = async (...ids: readonly string[]): Promise<void> => {
    await api.store.transact(async (transaction) => {
      for (const messageId of ids) {
        const record = JSON.stringify({ id: messageId })
        const at = api.clock.now()
        await transaction
          .in(defaultAccount)
          .notify({ type: 'SENT', status: 'DELIVERED', messageId, at, record })
      }
    })
    await settle(10)
  }
  return { ...api, sent, notify }
}
