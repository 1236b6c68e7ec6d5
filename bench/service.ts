import { startApp } from '../src/app.ts'
import type { Config } from '../src/config/config.ts'

/** The service in a process of its own, over a store in the folder given. */
const config: Config = {
  host: '127.0.0.1',
  port: 0,
  store: { kind: 'sqlite', file: `${process.argv[2]}/nuncio.db` },
  roles: ['api', 'submit', 'deliver'],
  adminKey: null,
  webhookNetworks: ['127.0.0.0/8'],
  retrySchedule: [5],
  simulatorDelayMs: 0,
  defaultSender: 'Nuncio',
  nationalLanguages: [],
  optOutWords: [],
  optInWords: [],
  corsOrigins: [],
  rateLimit: 0,
  rateLimitBurst: 100,
  log: 'warn',
  config: null,
  declarations: [],
  versions: [],
}

const app = await startApp(config, {
  log: (level, event, fields) => {
    if (level === 'warn' || level === 'error')
      process.stderr.write(`${event} ${JSON.stringify(fields)}\n`)
  },
})
process.send?.({ port: Number(new URL(app.url).port), key: app.adminKey, memory: 0 })
process.on('message', () => tellUse())
function tellUse(): void {
  const { user, system } = process.cpuUsage()
  process.send?.({ rss: process.memoryUsage.rss(), cpuMs: (user + system) / 1000 })
}
process.on('disconnect', () => void app.stop())
