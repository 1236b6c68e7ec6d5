/** Number that only grows, with labels. */
export interface Counter {
  add(labels: Labels, amount?: number): void
}

/** Measured values, counted in buckets. */
export interface Histogram {
  observe(labels: Labels, value: number): void
}

/**
 * Labels of a series. Few values each: no identifiers, no addresses. Passing the same object again
 * is faster; the caller must not change it.
 */
export type Labels = Readonly<Record<string, string>>

/** The metrics of the process, for Prometheus. Names have their unit last, as its guide asks. */
export interface Metrics {
  /** `from` has the series that are known before anything is counted: they begin at zero. */
  counter(name: string, help: string, from?: readonly Labels[]): Counter
  histogram(name: string, help: string, buckets: readonly number[]): Histogram
  /** A value that is looked up whenever the metrics are read. */
  gauge(name: string, help: string, read: ReadSamples): void
  /** A number that only grows, and is looked up whenever the metrics are read. */
  total(name: string, help: string, read: ReadSamples): void
  /** All of it in Prometheus' text format, version 0.0.4. */
  text(): Promise<string>
}

/** Looks values up. */
export type ReadSamples = () => readonly Sample[] | Promise<readonly Sample[]>

/** A value that was looked up. */
export interface Sample {
  readonly labels: Labels
  readonly value: number
}

/** The most series that one metric keeps: beyond it new ones are left out, so that memory is bounded. */
const seriesMax = 1000

/** Makes an empty registry. */
export function metrics(): Metrics {
  const written: (() => Promise<string> | string)[] = []
  const describe = (name: string, help: string, type: string): string =>
    `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`

  const lookUp = (name: string, help: string, type: string, read: ReadSamples): void => {
    written.push(async () => {
      const samples = await read()
      const texts = samples.map(
        ({ labels, value }) => `${name}${braced(labelText(labels))} ${value}\n`,
      )
      return describe(name, help, type) + texts.join('')
    })
  }

  return {
    counter: (name, help, from = []) => {
      const series = new Map(from.map((labels) => [labelText(labels), 0]))
      written.push(() => describe(name, help, 'counter') + lines(name, series))
      return { add: (labels, amount = 1) => bump(series, labelText(labels), amount) }
    },
    histogram: (name, help, buckets) => {
      const series = new Map<string, Observed>()
      written.push(() => describe(name, help, 'histogram') + histogramLines(name, buckets, series))
      return { observe: (labels, value) => observe(series, buckets, labelText(labels), value) }
    },
    gauge: (name, help, read) => lookUp(name, help, 'gauge', read),
    total: (name, help, read) => lookUp(name, help, 'counter', read),
    text: async () => (await Promise.all(written.map((write) => write()))).join(''),
  }
}

interface Observed {
  /** Values per bucket; the last bucket takes all larger ones. */
  readonly counts: number[]
  sum: number
}

function bump(series: Map<string, number>, labels: string, amount: number): void {
  const before = series.get(labels)
  if (before === undefined && series.size >= seriesMax) return
  series.set(labels, (before ?? 0) + amount)
}

function observe(
  series: Map<string, Observed>,
  buckets: readonly number[],
  labels: string,
  value: number,
): void {
  let observed = series.get(labels)
  if (observed === undefined) {
    if (series.size >= seriesMax) return
    observed = { counts: Array.from({ length: buckets.length + 1 }, () => 0), sum: 0 }
    series.set(labels, observed)
  }
  let at = 0
  while (at < buckets.length && value > (buckets[at] ?? 0)) at += 1
  observed.counts[at] = (observed.counts[at] ?? 0) + 1
  observed.sum += value
}

function lines(name: string, series: ReadonlyMap<string, number>): string {
  return [...series].map(([labels, value]) => `${name}${braced(labels)} ${value}\n`).join('')
}

/** Buckets are cumulative: each counts all values up to its limit. */
function histogramLines(
  name: string,
  buckets: readonly number[],
  series: ReadonlyMap<string, Observed>,
): string {
  return [...series]
    .map(([labels, { counts, sum }]) => {
      let total = 0
      const within = [...buckets, '+Inf'].map((limit, index) => {
        total += counts[index] ?? 0
        const all = labels === '' ? `le="${limit}"` : `${labels},le="${limit}"`
        return `${name}_bucket{${all}} ${total}\n`
      })
      return `${within.join('')}${name}_sum${braced(labels)} ${sum}\n${name}_count${braced(labels)} ${total}\n`
    })
    .join('')
}

const labelTexts = new WeakMap<Labels, string>()

function labelText(labels: Labels): string {
  const known = labelTexts.get(labels)
  if (known !== undefined) return known
  const text = Object.entries(labels)
    .map(([name, value]) => `${name}="${escape(value)}"`)
    .join(',')
  labelTexts.set(labels, text)
  return text
}

function braced(labels: string): string {
  return labels === '' ? '' : `{${labels}}`
}

function escape(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
