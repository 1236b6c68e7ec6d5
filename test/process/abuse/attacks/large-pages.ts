import type { Attack } from '../attack.ts'
import { repeat, send } from '../requests.ts'

/** The largest pages, many at a time. */
export const largePages: Attack = {
  name: 'large-pages',
  title: '32 pages of 1,000 at a time',
  run: (target, signal, note) =>
    repeat(32, signal, () => send(target, { path: '/v1/messages?pageSize=1000' }, signal, note)),
}
