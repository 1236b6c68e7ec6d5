import { makeWorkerUtils } from 'graphile-worker'

const worker = await makeWorkerUtils({ connectionString: process.env.DATABASE })
await worker.migrate()
const payload = { record: process.env.RECORD }
let left = Number(process.env.RECORDS)
while (left > 0) {
  const count = Math.min(1000, left)
  await worker.addJobs(Array.from({ length: count }, () => ({ identifier: 'deliver', payload })))
  left -= count
}
await worker.release()
