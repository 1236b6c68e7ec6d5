import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../support/free-ports.ts'

/** Prometheus, which reads the metrics of a service every second. */
export interface PrometheusServer extends AsyncDisposable {
  /** Returns the values of a query. */
  query(expr: string): Promise<readonly number[]>
  /** Returns the values of a query with their labels. */
  series(expr: string): Promise<readonly Series[]>
  /** Returns the names of the alerts that fire. */
  firing(): Promise<readonly string[]>
  /** Returns the number of its rules. */
  rules(): Promise<number>
  /** Resolves after a further read of the metrics. */
  scraped(): Promise<void>
}

/** A value of a query. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** JSON that a test looks into without checking each step. */
type Json = ReturnType<typeof JSON.parse>

const everyMs = 1000

/** Starts Prometheus for the metrics of a service. */
export async function startPrometheus(
  program: string,
  service: string,
  rules: string,
): Promise<PrometheusServer> {
  const folder = mkdtempSync(join(tmpdir(), 'nuncio-prometheus-'))
  const port = await freePort()
  const config = {
    global: { scrape_interval: `${everyMs}ms`, evaluation_interval: `${everyMs}ms` },
    rule_files: [rules],
    scrape_configs: [
      { job_name: 'nuncio', static_configs: [{ targets: [new URL(service).host] }] },
    ],
  }
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const address = `127.0.0.1:${port}`
  const child = spawn(
    program,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    { stdio: 'ignore' },
  )
  const ask = async (path: string): Promise<Json> => {
    const response = await fetch(`http://${address}/api/v1/${path}`)
    const { status, data, error } = (await response.json()) as Json
    if (status !== 'success') throw new Error(`${path}: ${error}`)
    return data
  }
  const series = async (expr: string): Promise<readonly Series[]> => {
    const { result } = await ask(`query?query=${encodeURIComponent(expr)}`)
    return result.map(({ metric, value }: Json) => ({ labels: metric, value: Number(value[1]) }))
  }
  await ready(address)
  return {
    query: async (expr) => (await series(expr)).map(({ value }) => value),
    series,
    firing: async () => {
      const { alerts } = await ask('alerts')
      const firing = alerts.filter(({ state }: Json) => state === 'firing')
      return firing.map(({ labels }: Json) => labels.alertname)
    },
    rules: async () => {
      const { groups } = await ask('rules')
      return groups.flatMap((group: Json) => group.rules).length
    },
    scraped: async () => {
      const last = async (): Promise<string> => {
        const { activeTargets } = await ask('targets')
        return activeTargets[0]?.lastScrape ?? ''
      }
      const before = await last()
      while ((await last()) === before) await pause()
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
      rmSync(folder, { recursive: true })
    },
  }
}

async function ready(address: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const status = await fetch(`http://${address}/-/ready`).then(
      (response) => response.status,
      () => 0,
    )
    if (status === 200) return
    await pause()
  }
  throw new Error('Prometheus was not ready in 30 s')
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 100))
}
