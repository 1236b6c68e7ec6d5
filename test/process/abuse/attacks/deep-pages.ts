import type { Attack } from '../attack.ts'
import { repeat, send } from '../requests.ts'

const paths = [
  '/v1/messages?page=6000',
  '/v1/messages?page=300&pageSize=1000',
  '/v1/messages?page=3000&sort=body_desc',
  '/v1/messages?page=1000000000',
]

/** Pages far from the first. */
export const deepPages: Attack = {
  name: 'deep-pages',
  title: 'deep pages, 8 clients',
  run: (target, signal, note) =>
    repeat(8, signal, (round) =>
      send(target, { path: paths[round % paths.length] ?? '' }, signal, note),
    ),
}
