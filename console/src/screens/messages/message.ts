import type { Message } from '@nuncio/client'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../api/client.ts'

/** How often a message that can still change is read, if no event tells of it. */
const pollMs = 15_000

/** Reads a message, again while it can change. */
export function messageQuery(id: string) {
  return queryOptions({
    queryKey: ['instance', 'messages', id],
    queryFn: ({ signal }): Promise<Message> => client.messages.get(id, { signal }),
    structuralSharing: false,
    refetchInterval: ({ state }) =>
      state.data !== undefined && isFinal(state.data) ? false : pollMs,
  })
}

/** Returns true if the status of a message cannot change. */
export function isFinal({ status }: Message): boolean {
  return ['DELIVERED', 'FAILED', 'CANCELLED', 'RECEIVED'].includes(status.type)
}

/** Returns true if a message can still be stopped. */
export function canCancel({ status }: Message): boolean {
  return status.type === 'SCHEDULED' || status.type === 'ACCEPTED'
}

/** Returns the command that sends the same message again. */
export function curlOf({ from, to, body }: Message): string {
  const input = JSON.stringify({ ...(from === '' ? {} : { from }), to, body }).replaceAll(
    "'",
    "'\\''",
  )
  return [
    `curl ${location.origin}/v1/messages`,
    '-H "Authorization: Bearer $NUNCIO_KEY"',
    '-H "Content-Type: application/json"',
    `-d '${input}'`,
  ].join(' \\\n  ')
}
