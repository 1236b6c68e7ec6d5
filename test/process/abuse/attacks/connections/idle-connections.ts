import { sized, type Attack } from '../../attack.ts'
import { keepOpen } from '../../requests.ts'

/** Connections without a request. */
export const idleConnections: Attack = {
  name: 'idle-connections',
  title: 'no key: 5,000 idle connections',
  run: (target, signal, note) => keepOpen(target, sized(target, 5000), signal, note, () => {}),
}
