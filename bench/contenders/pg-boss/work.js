// As its documentation says for much work: batches, several workers in the process, polling often.
import { PgBoss } from 'pg-boss'

const [boss, atOnce] = [new PgBoss(process.env.DATABASE), Number(process.env.AT_ONCE)]
boss.on('error', (error) => process.stderr.write(`${error}\n`))
await boss.start()
await boss.work(
  'deliveries',
  {
    batchSize: 100,
    localConcurrency: Math.max(1, Math.ceil(atOnce / 4)),
    pollingIntervalSeconds: 0.5,
    burstWhenBatchFull: true,
  },
  async (jobs) => {
    const lanes = Array.from({ length: 4 }, async (_, lane) => {
      for (let index = lane; index < jobs.length; index += 4) await post(jobs[index].data.record)
    })
    await Promise.all(lanes)
  },
)

async function post(record) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(process.env.URL, { method: 'POST', headers, body: record })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${answer.status}`)
}
