import { randomUUID } from 'node:crypto'
import type { Attack } from '../attack.ts'
import { repeat, send } from '../requests.ts'

const attributes = Object.fromEntries(
  Array.from({ length: 100 }, (_, index) => [`text${index}`, 'x'.repeat(1000)]),
)
const body = JSON.stringify({ address: '+4915112345678', attributes })

/** Stored responses of 100 KB. */
export const idempotencyKeys: Attack = {
  name: 'idempotency-keys',
  title: 'idempotency keys with responses of 100 KB, 8 clients',
  run: (target, signal, note) =>
    repeat(8, signal, () =>
      send(
        target,
        {
          method: 'POST',
          path: '/v1/contacts',
          headers: { 'idempotency-key': randomUUID() },
          body,
        },
        signal,
        note,
      ),
    ),
}
