import type { Attack } from '../attack.ts'
import { repeat, send } from '../requests.ts'

/** A pattern of a size that still fits into a target. */
export const manyStars: Attack = {
  name: 'many-stars',
  title: '`_like` of 3,900 stars, 8 clients',
  run: (target, signal, note) =>
    repeat(8, signal, () =>
      send(target, { path: `/v1/messages?body_like=${'*a'.repeat(3900)}` }, signal, note),
    ),
}
