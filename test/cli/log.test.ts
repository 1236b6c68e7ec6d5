import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openLog } from '../../src/cli/log.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { keptScreen } from './support/fake-surroundings.ts'

describe('the log', () => {
  it('is one JSON object a line where nobody reads along', () => {
    const screen = keptScreen()
    const log = openLog('info', screen, virtualClock())

    log('warn', 'webhook disabled', { webhook: 'webhook_1', attempts: 3 })
    log('info', 'started')

    const lines = screen
      .text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const time = '2026-01-01T00:00:00.000Z'
    assert.deepEqual(lines, [
      { level: 'warn', time, event: 'webhook disabled', webhook: 'webhook_1', attempts: 3 },
      { level: 'info', time, event: 'started' },
    ])
  })

  it('is for reading on a terminal', () => {
    const screen = keptScreen(true)
    const log = openLog('info', screen, virtualClock())

    log('warn', 'webhook disabled', { webhook: 'webhook_1', reason: 'two words', attempts: 3 })

    assert.equal(
      screen.text(),
      '00:00:00.000 warn  webhook disabled webhook=webhook_1 reason="two words" attempts=3\n',
    )
  })

  it('leaves out what is below its level', () => {
    const screen = keptScreen()
    const log = openLog('warn', screen, virtualClock())

    for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const)
      log(level, level)

    const events = screen
      .text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).event)
    assert.deepEqual(events, ['warn', 'error', 'fatal'])
  })

  it('shows an error with its message and where it happened', () => {
    const lines = keptScreen()
    const terminal = keptScreen(true)

    for (const screen of [lines, terminal]) {
      openLog('info', screen, virtualClock())('error', 'failed', { error: new Error('no disk') })
    }

    const { error } = JSON.parse(lines.text())
    assert.equal(error.message, 'no disk')
    assert.match(error.stack, /log\.test\.ts/)
    assert.match(terminal.text(), /failed error="no disk"\nError: no disk\n    at .*log\.test\.ts/)
  })

  it('keeps control characters away from a terminal', () => {
    const screen = keptScreen(true)
    const log = openLog('info', screen, virtualClock())

    log('info', 'odd', { name: '\u001b[2J' })

    assert.equal(screen.text().includes('\u001b'), false)
  })
})
