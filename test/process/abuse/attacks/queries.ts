import type { Attack } from '../attack.ts'
import { repeat, send } from '../requests.ts'

const paths = [
  '/v1/messages?sort=body_asc',
  '/v1/messages?search=zz',
  '/v1/messages?body_like=*zzz*',
  '/v1/messages?search=xylophone',
  '/v1/messages?body_like=*zz*zz*',
  '/v1/messages?search=parcel&sort=to_desc',
]

/** Expensive queries of several kinds, a third of them with exact counts. */
export const queries: Attack = {
  name: 'queries',
  title: 'searches, patterns, sorts, exact counts, 8 clients',
  run: (target, signal, note) =>
    repeat(8, signal, (round) => {
      const headers = round % 3 === 0 ? { prefer: 'count=exact' } : {}
      return send(target, { path: paths[round % paths.length] ?? '', headers }, signal, note)
    }),
}
