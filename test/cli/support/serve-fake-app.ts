import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { runInProcess } from '../../../src/cli/run-in-process.ts'
import type { StartApp } from '../../../src/cli/process-context.ts'

/** A program like ours with an app that only listens. `FAKE_STOP=never` makes it one that never stops. */
const startApp: StartApp = async ({ host, port }) => {
  const server = createServer((_request, response) => response.end('here'))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { port: actual } = server.address() as AddressInfo

  return {
    url: `http://${host}:${actual}`,
    adminKey: 'nuncio_01h455vb4pex5vsknk084sn02q_secret',
    signInCode: async () => null,
    stop: () =>
      new Promise<void>((resolve) => {
        if (process.env['FAKE_STOP'] !== 'never') server.close(() => resolve())
      }),
  }
}

const noStore = () => Promise.reject(new Error('there is no store'))
const work = { moveStore: noStore, backUp: noStore, distributeStore: noStore, lookAtStore: noStore }
await runInProcess({ startApp, ...work })
