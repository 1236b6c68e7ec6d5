import type { Attack } from '../../attack.ts'
import { unreadStreams } from './unread-streams.ts'

/** Event streams of several accounts, each up to its limit. */
export const accountStreams: Attack = {
  name: 'account-streams',
  title: '2,000 unread event streams of four accounts, 200 messages/s',
  run: async (target, signal, note) => {
    const size = target.size / target.accounts.length
    await Promise.all(
      target.accounts.map((own) => unreadStreams.run({ ...target, own, size }, signal, note)),
    )
  },
}
