import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { metrics } from '../../src/core/ports/metrics.ts'

describe('The metrics', () => {
  it('are written in Prometheus’ text format', async () => {
    const registry = metrics()
    const total = registry.counter('things_total', 'Things.')
    const duration = registry.histogram('wait_seconds', 'Waits.', [0.1, 1])
    registry.gauge('level', 'Level.', () => [{ labels: { tank: 'a"b\\c\n' }, value: 1.5 }])

    total.add({ kind: 'x' })
    total.add({ kind: 'x' }, 2)
    for (const value of [0.05, 0.1, 0.5, 7]) duration.observe({}, value)

    assert.equal(
      await registry.text(),
      [
        '# HELP things_total Things.',
        '# TYPE things_total counter',
        'things_total{kind="x"} 3',
        '# HELP wait_seconds Waits.',
        '# TYPE wait_seconds histogram',
        'wait_seconds_bucket{le="0.1"} 2',
        'wait_seconds_bucket{le="1"} 3',
        'wait_seconds_bucket{le="+Inf"} 4',
        'wait_seconds_sum 7.65',
        'wait_seconds_count 4',
        '# HELP level Level.',
        '# TYPE level gauge',
        'level{tank="a\\"b\\\\c\\n"} 1.5',
        '',
      ].join('\n'),
    )
  })

  it('begin at zero, and look up totals when they are read', async () => {
    const registry = metrics()
    registry.counter('things_total', 'Things.', [{ kind: 'x' }, {}])
    let seconds = 1
    registry.total('work_seconds_total', 'Work.', () => [{ labels: {}, value: seconds }])
    seconds = 2

    const lines = (await registry.text()).split('\n').filter((line) => !line.startsWith('# HELP'))

    assert.deepEqual(lines, [
      '# TYPE things_total counter',
      'things_total{kind="x"} 0',
      'things_total 0',
      '# TYPE work_seconds_total counter',
      'work_seconds_total 2',
      '',
    ])
  })

  it('keep a bounded number of series', async () => {
    const registry = metrics()
    const total = registry.counter('things_total', 'Things.')

    for (let index = 0; index < 2000; index += 1) total.add({ kind: String(index) })

    assert.equal((await registry.text()).split('\n').length, 1000 + 3)
  })
})
