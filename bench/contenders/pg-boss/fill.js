import { PgBoss } from 'pg-boss'

const boss = new PgBoss(process.env.DATABASE)
await boss.start()
await boss.createQueue('deliveries')
const data = { record: process.env.RECORD }
const left = { jobs: Number(process.env.RECORDS) }
while (left.jobs > 0) {
  const count = Math.min(1000, left.jobs)
  await boss.insert(
    'deliveries',
    Array.from({ length: count }, () => ({ data })),
  )
  left.jobs -= count
}
await boss.stop({ graceful: false })
