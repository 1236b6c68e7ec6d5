import { useEffect, useEffectEvent, useMemo, useRef, type ReactNode } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

/** A line or a row of bars of a chart. */
export interface Series {
  readonly label: string
  /** A design token, such as `--good`. */
  readonly colour: string
  readonly values: readonly number[]
}

interface Props {
  /** What the chart shows, for those who do not see it. */
  readonly label: string
  /** Seconds since 1970. */
  readonly times: readonly number[]
  readonly series: readonly Series[]
  /** Bars that stand on each other, or lines. */
  readonly look: 'bars' | 'lines'
}

const heightPixels = 200

/** A chart over time. */
export function Chart({ label, times, series, look }: Props): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef<uPlot>(null)
  const data: uPlot.AlignedData = useMemo(
    () => [[...times], ...stacked(series, look)],
    [times, series, look],
  )
  const names = series.map(({ label }) => label).join('\n')
  const plotted = useEffectEvent((element: HTMLElement) => {
    shown.current = new uPlot(optionsFor(element, series, look), data, element)
    return shown.current
  })
  useEffect(() => shown.current?.setData(data), [data])
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const plot = plotted(element)
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: heightPixels }),
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      shown.current = null
      plot.destroy()
    }
  }, [names, look])
  return (
    <figure className="chart" aria-label={label}>
      <figcaption className="row wrap">
        {series.map(({ label, colour }) => (
          <span key={label} className="row">
            <i style={{ background: `var(${colour})` }} />
            {label}
          </span>
        ))}
      </figcaption>
      <div ref={place} aria-hidden="true" />
    </figure>
  )
}

function optionsFor(
  element: HTMLElement,
  series: readonly Series[],
  look: Props['look'],
): uPlot.Options {
  const colour = (token: string): string => colourOf(element, token)
  const axis: uPlot.Axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui, sans-serif',
  }
  const bars = uPlot.paths.bars?.({ size: [0.8, 40] })
  const drawn = series.map(({ label, colour: token }): uPlot.Series => {
    const stroke = colour(token)
    if (look === 'lines' || bars === undefined) return { label, stroke, width: 2 }
    return { label, stroke, fill: stroke, width: 0, paths: bars, points: { show: false } }
  })
  return {
    width: element.clientWidth,
    height: heightPixels,
    cursor: { show: false },
    legend: { show: false },
    padding: [8, 24, 0, 0],
    scales: look === 'bars' ? barScales : {},
    axes: [
      { ...axis, values: timeLabels, size: 28 },
      { ...axis, size: 44 },
    ],
    series: [{}, ...drawn],
  }
}

/** Bars start at zero, and the first and the last one are whole. */
const barScales: uPlot.Scales = {
  x: {
    range: ({ data }, min, max) => {
      const halfStep = ((data[0][1] ?? 0) - (data[0][0] ?? 0)) / 2
      return [min - halfStep, max + halfStep]
    },
  },
  y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] },
}

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const clockSeconds = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
const calendar = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })

/** Writes the times of an axis as precisely as their distance needs. */
function timeLabels(_: uPlot, times: number[]): string[] {
  const stepSeconds = (times[1] ?? 0) - (times[0] ?? 0)
  const format = stepSeconds < 60 ? clockSeconds : stepSeconds < 43_200 ? clock : calendar
  return times.map((time) => format.format(time * 1000))
}

/** Returns the colour of a token. A canvas knows neither tokens nor `light-dark`. */
function colourOf(element: HTMLElement, token: string): string {
  const probe = document.createElement('i')
  probe.style.color = `var(${token})`
  element.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Bars are drawn one over the other: the first series is the sum of all, in front is the last. */
function stacked(series: readonly Series[], look: Props['look']): readonly number[][] {
  if (look === 'lines') return series.map(({ values }) => [...values])
  return series.map(({ values }, index) =>
    values.map((_, time) =>
      series.slice(index).reduce((sum, one) => sum + (one.values[time] ?? 0), 0),
    ),
  )
}
