import { sized, type Attack } from '../attack.ts'
import { send } from '../requests.ts'

const message = JSON.stringify({ to: '+4915112345678', body: 'Hello' })

/** Webhooks that cannot be reached, created one after the other, with a message for all after each tenth. */
export const manyWebhooks: Attack = {
  name: 'many-webhooks',
  title: '1,500 webhooks created in sequence, with messages for them',
  run: async (target, signal, note) => {
    for (let count = 0; count < sized(target, 1500) && !signal.aborted; count += 1) {
      const body = JSON.stringify({ url: 'http://127.0.0.1:9/', statuses: ['ACCEPTED'] })
      await send(target, { method: 'POST', path: '/v1/webhooks', body }, signal, note)
      if (count % 10 > 0) continue
      await send(target, { method: 'POST', path: '/v1/messages', body: message }, signal, note)
    }
    while (!signal.aborted) {
      await send(target, { method: 'POST', path: '/v1/messages', body: message }, signal, note)
    }
  },
}
