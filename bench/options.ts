import { parseArgs } from 'node:util'

/** How much is measured. */
export interface Options {
  readonly isQuick: boolean
  /** Works whose names begin so; all where there are none. */
  readonly only: readonly string[]
  /** Contenders that take part; null: all that there are, quickly only those that are installed. */
  readonly contenders: readonly string[] | null
  readonly rounds: number
  /** Of each run. */
  readonly seconds: number
  /** Messages in the stores of the works over HTTP. */
  readonly rows: number
  /** The sizes of stores over which growth is measured; starts take the largest. */
  readonly sizes: readonly number[]
  /** The way of a message: how many a second, for how long. */
  readonly perSecond: number
  readonly sustain: number
  /** So many go before those that are measured: nobody is measured while it starts, or compiles itself. */
  readonly warmUp: number
  /** Deliveries: records of a backlog; webhooks of which a tenth is dead. */
  readonly records: number
  readonly webhooks: number
  /** Where the report goes. */
  readonly out: string
}

const full = {
  rounds: 5,
  seconds: 2,
  rows: 100_000,
  sizes: [1000, 10_000, 100_000, 1_000_000],
  perSecond: 5000,
  sustain: 60,
  warmUp: 20_000,
  records: 32_000,
  webhooks: 1000,
}

const quick: typeof full = {
  rounds: 3,
  seconds: 0.3,
  rows: 2000,
  sizes: [1000, 4000],
  perSecond: 500,
  sustain: 2,
  warmUp: 500,
  records: 1600,
  webhooks: 50,
}

/** Reads the command line. Throws a sentence where it is wrong. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      contenders: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      rows: { type: 'string' },
      sizes: { type: 'string' },
      'per-second': { type: 'string' },
      sustain: { type: 'string' },
      records: { type: 'string' },
      webhooks: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const usual = values.quick ? quick : full
  const list = (text: string): readonly string[] => text.split(',').filter((part) => part !== '')
  return {
    isQuick: values.quick,
    only: values.only.flatMap(list),
    contenders: values.contenders === undefined ? null : list(values.contenders),
    rounds: number('rounds', values.rounds, usual.rounds),
    seconds: number('seconds', values.seconds, usual.seconds),
    rows: number('rows', values.rows, usual.rows),
    sizes:
      values.sizes === undefined
        ? usual.sizes
        : list(values.sizes).map((text) => number('sizes', text, 0)),
    perSecond: number('per-second', values['per-second'], usual.perSecond),
    sustain: number('sustain', values.sustain, usual.sustain),
    warmUp: usual.warmUp,
    records: number('records', values.records, usual.records),
    webhooks: number('webhooks', values.webhooks, usual.webhooks),
    out: values.out ?? new URL('report', import.meta.url).pathname,
  }
}

function number(name: string, text: string | undefined, usual: number): number {
  const value = text === undefined ? usual : Number(text)
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0, not "${text}"`)
  return value
}
