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
  /** Returns all of it, for exporters. */
  read(): Promise<readonly MetricFamily[]>
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

/** Measured values of one series. */
export interface ObservedSeries {
  readonly labels: Labels
  /** Values per bucket; the last bucket takes all larger ones. */
  readonly counts: readonly number[]
  readonly sum: number
}

/** A metric with its series. */
export type MetricFamily = { readonly name: string; readonly help: string } & (
  | { readonly type: 'counter' | 'gauge'; readonly samples: readonly Sample[] }
  | {
      readonly type: 'histogram'
      /** Upper limits of all buckets but the last. */
      readonly buckets: readonly number[]
      readonly series: readonly ObservedSeries[]
    }
)

/** The most series that one metric keeps: beyond it new ones are left out, so that memory is bounded. */
const seriesMax = 1000

/** Makes an empty registry. */
export function metrics(): Metrics {
  const families: (() => MetricFamily | Promise<MetricFamily>)[] = []
  const read = (): Promise<readonly MetricFamily[]> =>
    Promise.all(families.map((family) => family()))
  const lookUp = (
    name: string,
    help: string,
    type: 'counter' | 'gauge',
    readSamples: ReadSamples,
  ): void => {
    families.push(async () => ({ name, help, type, samples: await readSamples() }))
  }

  return {
    counter: (name, help, from = []) => {
      const series = new Map<string, CountedSeries>()
      for (const labels of from) bump(series, labels, 0)
      families.push(() => ({ name, help, type: 'counter', samples: [...series.values()] }))
      return { add: (labels, amount = 1) => bump(series, labels, amount) }
    },
    histogram: (name, help, buckets) => {
      const series = new Map<string, BucketSeries>()
      families.push(() => {
        return { name, help, type: 'histogram', buckets, series: [...series.values()] }
      })
      return { observe: (labels, value) => observe(series, buckets, labels, value) }
    },
    gauge: (name, help, readSamples) => lookUp(name, help, 'gauge', readSamples),
    total: (name, help, readSamples) => lookUp(name, help, 'counter', readSamples),
    read,
    text: async () => (await read()).map(textOf).join(''),
  }
}

interface CountedSeries extends Sample {
  value: number
}

interface BucketSeries extends ObservedSeries {
  readonly counts: number[]
  sum: number
}

function bump(series: Map<string, CountedSeries>, labels: Labels, amount: number): void {
  const text = labelText(labels)
  const known = series.get(text)
  if (known !== undefined) known.value += amount
  else if (series.size < seriesMax) series.set(text, { labels, value: amount })
}

function observe(
  series: Map<string, BucketSeries>,
  buckets: readonly number[],
  labels: Labels,
  value: number,
): void {
  const text = labelText(labels)
  let observed = series.get(text)
  if (observed === undefined) {
    if (series.size >= seriesMax) return
    observed = { labels, counts: Array.from({ length: buckets.length + 1 }, () => 0), sum: 0 }
    series.set(text, observed)
  }
  let at = 0
  while (at < buckets.length && value > (buckets[at] ?? 0)) at += 1
  observed.counts[at] = (observed.counts[at] ?? 0) + 1
  observed.sum += value
}

function textOf(family: MetricFamily): string {
  const { name, help, type } = family
  const lines =
    type === 'histogram'
      ? family.series.map((series) => histogramLines(name, family.buckets, series))
      : family.samples.map(({ labels, value }) => `${name}${braced(labelText(labels))} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

/** Buckets are cumulative: each counts all values up to its limit. */
function histogramLines(
  name: string,
  buckets: readonly number[],
  { labels, counts, sum }: ObservedSeries,
): string {
  const own = labelText(labels)
  let total = 0
  const within = [...buckets, '+Inf'].map((limit, index) => {
    total += counts[index] ?? 0
    const all = own === '' ? `le="${limit}"` : `${own},le="${limit}"`
    return `${name}_bucket{${all}} ${total}\n`
  })
  return `${within.join('')}${name}_sum${braced(own)} ${sum}\n${name}_count${braced(own)} ${total}\n`
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
