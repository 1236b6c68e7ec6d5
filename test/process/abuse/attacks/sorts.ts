import type { Attack } from '../attack.ts'
import { repeat, send } from '../requests.ts'

/** Sorts by a field without an index. */
export const sorts: Attack = {
  name: 'sorts',
  title: '`sort=body_asc`, 8 clients',
  run: (target, signal, note) =>
    repeat(8, signal, () => send(target, { path: '/v1/messages?sort=body_asc' }, signal, note)),
}
