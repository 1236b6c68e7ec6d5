import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseArguments } from '../../src/cli/arguments.ts'

const flags = [
  { flag: 'port', placeholder: 'number', description: '' },
  { flag: 'admin-key', placeholder: 'key', description: '' },
  { flag: 'since-start', placeholder: null, description: '' },
  { flag: 'help', placeholder: null, description: '' },
]

describe('the command line', () => {
  it('gives a flag its value behind a space or an equals sign', () => {
    const { values, faults } = parseArguments(['--port', '80', '--admin-key=--x'], flags)

    assert.deepEqual(values, { port: '80', 'admin-key': '--x' })
    assert.deepEqual(faults, [])
  })

  it('takes an empty value', () => {
    const { values, faults } = parseArguments(['--port', '', '--admin-key='], flags)

    assert.deepEqual(values, { port: '', 'admin-key': '' })
    assert.deepEqual(faults, [])
  })

  it('takes the last of a repeated flag', () => {
    const { values } = parseArguments(['--port', '1', '--port', '2'], flags)

    assert.deepEqual(values, { port: '2' })
  })

  it('knows flags without a value, and -h for --help', () => {
    const { switches } = parseArguments(['--since-start', '-h'], flags)

    assert.deepEqual([...switches], ['since-start', 'help'])
  })

  it('names every fault, with the nearest flag that there is', () => {
    const { faults } = parseArguments(
      ['--prot', '80', '--since-start=yes', '-x', '--port', '1', '2', '--admin-key'],
      flags,
    )

    assert.deepEqual(faults, [
      'The flag --prot is unknown. Did you mean --port?',
      'The flag --since-start takes no value.',
      'The flag -x is unknown.',
      'There is an unexpected argument after --port: quote a value with spaces.',
      'The flag --admin-key needs a value; one that begins with a dash is given as --admin-key=<key>.',
    ])
  })

  it('takes no flag for the value of another', () => {
    const { values, faults } = parseArguments(['--port', '--since-start'], flags)

    assert.deepEqual(values, {})
    assert.equal(faults.length, 1)
  })

  it('takes every other flag for a field, if the command has fields', () => {
    const args = [
      '--port',
      '1',
      '--status.type',
      'SENT',
      '--status.type=FAILED',
      '--to',
      '+49',
      '--x',
    ]
    const { values, fields, faults } = parseArguments(args, flags, true)

    assert.deepEqual(values, { port: '1' })
    assert.deepEqual(fields, [
      ['status.type', 'SENT'],
      ['status.type', 'FAILED'],
      ['to', '+49'],
    ])
    assert.equal(faults.length, 1)
  })

  it('names an argument that is no flag', () => {
    const { faults } = parseArguments(['extra', '--port', '1'], flags)

    assert.deepEqual(faults, ['The argument extra is unknown: use flags only.'])
  })

  it('shows no values of flags, and no keys, which are secret', () => {
    const args = ['nuncio_hush', '--admin-kye=hush', '--port', '1', 'hush']
    const { faults } = parseArguments(args, flags)

    assert.equal(faults.length, 3)
    assert.doesNotMatch(faults.join(), /hush/)
  })
})
