import type { Attack } from '../attack.ts'
import { type Asked, repeat, send } from '../requests.ts'

const members = Array.from({ length: 70_000 }, (_, index) => `"k${index}":1`).join(',')
const form = Array.from({ length: 100_000 }, (_, index) => `k${index}=1`).join('&')
const nested = Array.from({ length: 14_000 }, () => `${'['.repeat(27)}${']'.repeat(27)}`).join(',')
const addresses = Array.from(
  { length: 10_000 },
  (_, index) => `+49151${String(index).padStart(8, '0')}`,
)

/** Anybody may send it. */
const signIn = '/v1/sessions'

/** Requests whose bodies cost far more to understand than to send. */
const requests: readonly Asked[] = [
  { method: 'POST', path: signIn, body: `{${members}}` },
  { method: 'POST', path: '/v1/contacts', body: `{"address":"12345",${members}}` },
  { method: 'QUERY', path: '/v1/messages', body: `{${members}}` },
  { method: 'POST', path: '/v1/contacts', body: `{"address":"12345","tags":[${nested}]}` },
  {
    method: 'POST',
    path: '/v1/messages',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form,
  },
  {
    method: 'POST',
    path: '/v1/broadcasts',
    headers: { prefer: 'handling=dry-run' },
    body: JSON.stringify({ to: { addresses }, body: 'x{{address}}'.repeat(2000), maxParts: 255 }),
  },
]

/** Bodies with as much structure, or as long a result, as one MB can have. */
export const costlyBodies: Attack = {
  name: 'costly-bodies',
  title: 'bodies of 70,000 members, forms, nested arrays, long broadcasts, 8 clients',
  run: (target, signal, note) =>
    repeat(8, signal, async (round) => {
      const asked = requests[round % requests.length]
      if (asked === undefined) return
      const headers = { 'content-type': 'application/json', ...asked.headers }
      const own = asked.path === signIn ? {} : target.own
      await send({ ...target, own }, { ...asked, headers }, signal, note)
    }),
}
