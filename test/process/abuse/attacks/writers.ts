import { sized, type Attack } from '../attack.ts'
import { repeat, send } from '../requests.ts'

const body = JSON.stringify({ to: '+4915112345678', body: 'Your parcel arrives today at 14:00.' })

/** Messages as fast as they are accepted. */
export const writers: Attack = {
  name: 'writers',
  title: '64 clients that POST messages',
  run: (target, signal, note) =>
    repeat(sized(target, 64), signal, () =>
      send(target, { method: 'POST', path: '/v1/messages', body }, signal, note),
    ),
}
