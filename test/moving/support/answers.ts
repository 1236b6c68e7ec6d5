import assert from 'node:assert/strict'
import type { TestApi } from '../../support/api.ts'
import { adminKey } from './traffic.ts'

/** What is asked of a service before and after its store was moved. */
const targets = [
  'messages?pageSize=1000',
  'messages?pageSize=1000&sort=body_asc,createdAt_desc,id_asc',
  'messages?pageSize=3&sort=id_desc',
  'messages?search=gr%C3%BC%C3%9Fe',
  'messages?search=%F0%9F%98%80',
  'messages?to=%2B4915112345678&fields=body,status',
  'messages?status.type=DELIVERED',
  'messages?status.type=FAILED',
  'messages/m0',
  'contacts?pageSize=1000&sort=name_asc',
  'groups',
  'groups/g/contacts',
  'broadcasts',
  'broadcasts/b/messages',
  'webhooks',
  'webhooks/takes/deliveries',
  'webhooks/refuses/deliveries',
  'webhooks/refuses/replays',
  'optOuts',
  'numbers',
  'prices',
  'keys?fields=id,scopes,account,createdAt',
  'accounts',
  'accounts/shop/creditMovements',
  'maintenanceWindows',
  'statistics',
  'notifications?after=0&pageSize=1000',
] as const

/** The answers to all of it: status and body, each under what was asked. */
export async function answersOf(api: TestApi): Promise<Readonly<Record<string, unknown>>> {
  const answers: Record<string, unknown> = {}
  for (const target of targets) {
    const { status, text, headers } = await api.get(`/v1/${target}`, { key: adminKey })
    assert.equal(status, 200, text)
    answers[target] = { status, text, etag: headers['etag'] }
  }
  return answers
}
