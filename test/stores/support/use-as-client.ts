import type { TestApi } from '../../support/api.ts'

/** Does what clients do most, once each: messages, webhooks, contacts, lists and searches. */
export async function useAsClient(api: TestApi, key: { readonly key: string }): Promise<void> {
  const to = '+4915112345678'
  const idempotent = { ...key, headers: { 'idempotency-key': 'once' } }
  await api.put('/v1/webhooks/w', { url: 'http://127.0.0.1:9/w', statuses: ['DELIVERED'] }, key)
  await api.post('/v1/messages', { to, body: 'one' }, idempotent)
  await api.post('/v1/messages', { to, body: 'one' }, idempotent)
  await Promise.all(
    Array.from({ length: 8 }, (_, at) => api.put(`/v1/messages/m${at}`, { to, body: 'm' }, key)),
  )
  await api.put('/v1/messages/later', { to, body: 'x', scheduledAt: '2027-01-01T00:00:00Z' }, key)
  await api.patch('/v1/messages/later', { body: 'y' }, key)
  await api.put('/v1/contacts/c', { name: 'Ada', address: to }, key)
  await api.put('/v1/groups/g', { name: 'g' }, key)
  await api.post('/v1/groups/g/contacts', { id: 'c' }, key)
  await api.post('/v1/broadcasts', { to: { group: 'g' }, body: 'b' }, key)
  // What rests between two looks, as the index of texts does for a second, has looked by then.
  await api.clock.advance(4000)
  for (const target of [
    'messages',
    'messages?status.type=DELIVERED&sort=createdAt_desc&pageSize=5',
    'messages?search=one',
    'messages/m1',
    'contacts?name=Ada',
    'groups/g/contacts',
    'broadcasts',
    'webhooks',
    'webhooks/w',
    'webhooks/w/deliveries',
    'notifications?after=0',
  ]) {
    await api.get(`/v1/${target}`, key)
  }
  await api.get('/metrics')
  await api.delete('/v1/messages/later', key)
  await api.delete('/v1/contacts/c', key)
}
