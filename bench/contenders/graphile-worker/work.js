// As its documentation says for throughput: a local queue, and completions in batches.
import { run } from 'graphile-worker'

const atOnce = Number(process.env.AT_ONCE)
await run({
  connectionString: process.env.DATABASE,
  noHandleSignals: true,
  taskList: { deliver },
  preset: {
    worker: {
      concurrentJobs: atOnce,
      maxPoolSize: Math.max(10, atOnce + 2),
      localQueue: { size: 4 * atOnce },
      completeJobBatchDelay: 0,
    },
  },
})

async function deliver({ record }) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(process.env.URL, { method: 'POST', headers, body: record })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${answer.status}`)
}
