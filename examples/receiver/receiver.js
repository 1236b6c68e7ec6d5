// Receives the webhooks of Nuncio and prints one line for each notification:
//
//   WEBHOOK_SECRET=whsec_… npx node examples/receiver/receiver.js
import { createServer } from 'node:http'
import { memoryDuplicates, nodeHandler, receiver } from '@nuncio/receiver'

const port = Number(process.env.PORT ?? 3000)

const receive = receiver({
  secrets: process.env.WEBHOOK_SECRET,
  duplicates: memoryDuplicates(),
  RECEIVED: ({ from, id, body }) => console.log(`RECEIVED from ${from}  ${body}  (${id})`),
  SENT: ({ to, id, body, status }) => console.log(`SENT to ${to}  ${body}  ${status.id}  (${id})`),
})

createServer(nodeHandler(receive)).listen(port, '127.0.0.1', () => {
  console.log(`Receiving at http://127.0.0.1:${port}`)
})
