import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { loadConfig } from '../../../src/config/load-config.ts'
import { hasProgram } from '../../docs/support/reader.ts'
import { documentsIn, dockerfileFaults, helm, project, run } from './tools.ts'

const key = `nuncio_${'administrator'.repeat(3)}`
/** The one variable that compose passes on. */
const secretKey = randomBytes(32).toString('base64')
const chart = join(project, 'deploy/helm/nuncio')

/** The values of the charts that are rendered. */
const charts = {
  sqlite: ['--set', `secretSettings.NUNCIO_ADMIN_KEY=${key}`],
  postgres: [
    ['--set', 'store=postgres,serviceMonitor.enabled=true'],
    ['--set', `secretSettings.NUNCIO_ADMIN_KEY=${key}`],
    ['--set', 'secretSettings.NUNCIO_STORE=postgres://nuncio@db/nuncio'],
    ['--set', 'settings.NUNCIO_LOG=debug'],
  ].flat(),
  separate: [
    ['--set', 'store=postgres,existingSecret=own,autoscaling.enabled=true'],
    ['--set', 'nodes.nuncio=null,nodes.api.replicas=3,nodes.api.roles={api}'],
    ['--set', 'nodes.submit.replicas=2,nodes.submit.roles={submit}'],
    ['--set', 'nodes.deliver.replicas=2,nodes.deliver.roles={deliver}'],
  ].flat(),
}

function rendered(values: readonly string[]) {
  const { status, stdout, printed } = run(helm(), ['template', 'acme', chart, ...values])
  assert.equal(status, 0, printed)
  return documentsIn(stdout)
}

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'nuncio-deploy-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The settings of a container or a compose service must be known to the service. */
async function assertSettings(given: Readonly<Record<string, string>>): Promise<void> {
  const settings = Object.entries(given).filter(([name]) => name.startsWith('NUNCIO_'))
  const environment = { NUNCIO_ADMIN_KEY: key, ...Object.fromEntries(settings) }
  const loaded = await loadConfig({ flags: {}, environment, cwd: tmpdir() })
  assert.deepEqual(loaded.ok ? [] : loaded.faults, [])
}

describe('The chart', () => {
  it('has no fault that Helm finds', () => {
    for (const values of Object.values(charts)) {
      const { status, printed } = run(helm(), ['lint', '--strict', chart, ...values])
      assert.equal(status, 0, printed)
    }
  })

  it('has the fields of Kubernetes alone, with values of their types', (t) => {
    const known: Readonly<Record<string, string>> = {
      'v1/Service': 'v1',
      'v1/Secret': 'v1',
      'v1/PersistentVolumeClaim': 'v1',
      'apps/v1/Deployment': 'apps/v1',
      'policy/v1/PodDisruptionBudget': 'policy/v1',
      'autoscaling/v2/HorizontalPodAutoscaler': 'autoscaling/v2',
    }
    const objects = Object.values(charts)
      .flatMap(rendered)
      .filter(({ kind }) => kind !== 'ServiceMonitor')
    const lines = objects.map((object, index) => {
      const from = known[`${object.apiVersion}/${object.kind}`]
      assert.ok(from !== undefined, `${object.apiVersion}/${object.kind}`)
      const type = `import('kubernetes-models/${from}').I${object.kind}`
      return `export const o${index}: ${type} = ${JSON.stringify(object)}\n`
    })
    const folder = join(import.meta.dirname, 'node_modules/.rendered')
    run('mkdir', ['-p', folder])
    // The compiler refuses fields that a type does not have.
    const file = join(folder, 'objects.ts')
    writeFileSync(file, lines.join(''))
    t.after(() => rmSync(folder, { recursive: true }))
    const tsc = join(project, 'node_modules/.bin/tsc')
    const flags = ['--noEmit', '--strict', '--skipLibCheck', '--types', '', '--ignoreConfig']
    const module = ['--module', 'nodenext', '--target', 'esnext']

    assert.deepEqual(run(tsc, [...flags, ...module, file], folder).printed, '')

    writeFileSync(file, lines.join('').replace('"replicas"', '"replica"'))
    assert.match(run(tsc, [...flags, ...module, file], folder).printed, /"replica"/)
  })

  it('runs roles separately, and sets what the service knows', async () => {
    const deployments = rendered(charts.separate).filter(({ kind }) => kind === 'Deployment')
    const names = deployments.map(({ metadata }) => metadata.name)

    assert.deepEqual(names.toSorted(), ['acme-api', 'acme-deliver', 'acme-submit'])
    for (const { spec } of deployments) {
      const [container] = spec.template.spec.containers
      const env = container.env.map(({ name, value }: { name: string; value: string }) => [
        name,
        value,
      ])
      await assertSettings({
        ...Object.fromEntries(env),
        NUNCIO_STORE: 'postgres://nuncio@db/nuncio',
      })
      assert.equal(container.securityContext.readOnlyRootFilesystem, true)
    }
  })

  it('gives Prometheus the name of the job that the alerts expect', () => {
    const objects = rendered(charts.postgres)
    const { spec } = objects.find(({ kind }) => kind === 'ServiceMonitor')
    const wanted = Object.entries(spec.selector.matchLabels)
    const monitored = objects.filter(
      ({ kind, metadata }) =>
        kind === 'Service' && wanted.every(([label, value]) => metadata.labels[label] === value),
    )

    const jobs = monitored.map(({ metadata }) => metadata.labels[spec.jobLabel])
    const alerts = readFileSync(join(project, 'deploy/monitoring/alerts.yaml'), 'utf8')
    assert.deepEqual(jobs, [/job="(\w+)"/.exec(alerts)?.[1]])
  })

  it('names what is missing', () => {
    const { status, printed } = run(helm(), ['template', 'acme', chart])

    assert.equal(status, 1)
    assert.match(printed, /secretSettings\.NUNCIO_ADMIN_KEY or existingSecret is required/)
  })
})

describe('The image', () => {
  it('has no fault that its linter finds', (t) => {
    const text = readFileSync(join(project, 'deploy/Dockerfile'), 'utf8')
    const image = /^ARG NODE_IMAGE=(.*)$/m.exec(text)?.[1] ?? ''
    // The linter does not know arguments.
    const file = join(temporary(t), 'Dockerfile')
    writeFileSync(file, text.replaceAll('${NODE_IMAGE}', image))

    assert.match(image, /^node:26-slim@sha256:[\da-f]{64}$/)
    assert.equal(dockerfileFaults(file), '')
  })
})

describe('The compose files', () => {
  for (const name of ['compose.yaml', 'compose.postgres.yaml']) {
    it(`of ${name} set what the service knows`, async () => {
      const text = readFileSync(join(project, 'deploy', name), 'utf8')
      const [{ services, volumes }] = documentsIn(text)
      const own = Object.entries<ReturnType<typeof JSON.parse>>(services).filter(
        ([service]) => service !== 'postgres',
      )

      for (const [, { environment, volumes: mounts = [] }] of own) {
        const given = Object.entries<string | null>(environment).map(([variable, value]) => [
          variable,
          // Without a value, compose passes the variable on.
          (value ?? secretKey)
            .replaceAll(/\$\{NUNCIO_ADMIN_KEY[^}]*\}/g, key)
            .replaceAll(/\$\{[^}]*\}/g, 'secret'),
        ])
        await assertSettings(Object.fromEntries(given))
        for (const mount of mounts) assert.ok(mount.split(':')[0] in volumes, mount)
      }
    })
  }
})

const systemd = hasProgram('systemd-analyze') ? false : 'systemd-analyze is not on this machine'

describe('The unit', { skip: systemd }, () => {
  it('is one that systemd understands', (t) => {
    const text = readFileSync(join(project, 'deploy/nuncio.service'), 'utf8')
    const file = join(temporary(t), 'nuncio.service')
    writeFileSync(file, text.replaceAll('/opt/nuncio', project))

    const { printed } = run('systemd-analyze', ['verify', '--man=no', file])

    assert.deepEqual(
      printed.split('\n').filter((line) => line.includes('nuncio.service')),
      [],
    )
  })

  it('exposes little of the machine', () => {
    const file = join(project, 'deploy/nuncio.service')

    const { printed } = run('systemd-analyze', ['security', '--offline=true', '--no-pager', file])

    const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(printed)?.[1])
    assert.ok(exposure <= 2, printed)
  })
})
