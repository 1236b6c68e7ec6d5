import { figure, spread } from '../figures.ts'
import type { Outcome, Row } from '../outcome.ts'

const width = 760
const barHeight = 22
const left = 270
const right = 110
const colours: Readonly<Record<Row['role'], string>> = {
  ours: '#1c7ed6',
  ceiling: '#868e96',
  contender: '#f08c00',
}

/** A plot of bars, the median of each with its spread as a line. */
export function barPlot({ title, unit, isLessBetter, rows }: Outcome): string {
  const shown = rows.filter(({ values }) => values.length > 0)
  const highest = Math.max(...shown.map(({ values }) => spread(values).high), 1e-9)
  const scale = (value: number): number => (Math.max(0, value) / highest) * (width - left - right)
  const height = 58 + shown.length * (barHeight + 8)
  const bars = shown.map((row, index) => {
    const { low, median, high } = spread(row.values)
    const top = 46 + index * (barHeight + 8)
    const middle = top + barHeight / 2
    return [
      text(left - 8, middle + 4, row.subject, 'end'),
      `<rect x="${left}" y="${top}" width="${round(scale(median))}" height="${barHeight}" ` +
        `fill="${colours[row.role]}"/>`,
      `<path d="M${round(left + scale(low))} ${middle}H${round(left + scale(high))}" ` +
        `stroke="#212529" stroke-width="2"/>`,
      text(left + scale(high) + 8, middle + 4, figure(median)),
    ].join('')
  })
  const sense = isLessBetter ? 'less is better' : 'more is better'
  return svg(height, title, [
    text(12, 20, title, 'start', 15),
    text(12, 36, `${unit}, ${sense}; medians, the line is the spread`, 'start', 11),
    ...bars,
  ])
}

/** A line of one work over stores of growing size. */
export interface Curve {
  readonly name: string
  readonly points: readonly (readonly [rows: number, value: number])[]
}

const hues = ['#1c7ed6', '#f08c00', '#2b8a3e', '#c92a2a', '#862e9c', '#0b7285', '#5c940d']

/** A plot of lines, both axes logarithmic: what costs the same whatever the size stays level. */
export function linePlot(title: string, unit: string, curves: readonly Curve[]): string {
  const points = curves.flatMap((curve) => curve.points).filter(([, value]) => value > 0)
  const xs = points.map(([rows]) => Math.log10(rows))
  const ys = points.map(([, value]) => Math.log10(value))
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)]
  const [y0, y1] = [Math.floor(Math.min(...ys)), Math.ceil(Math.max(...ys))]
  const height = 380
  const area = { left: 70, right: width - 230, top: 60, bottom: height - 40 }
  const x = (rows: number): number =>
    area.left + ((Math.log10(rows) - x0) / (x1 - x0 || 1)) * (area.right - area.left)
  const y = (value: number): number =>
    area.bottom - ((Math.log10(value) - y0) / (y1 - y0 || 1)) * (area.bottom - area.top)
  const across = Array.from({ length: y1 - y0 + 1 }, (_, step) => 10 ** (y0 + step)).map(
    (value) =>
      `<path d="M${area.left} ${round(y(value))}H${area.right}" stroke="#dee2e6"/>` +
      text(area.left - 8, y(value) + 4, value.toLocaleString('en'), 'end', 11),
  )
  const below = [...new Set(points.map(([rows]) => rows))].map((rows) =>
    text(x(rows), area.bottom + 18, rows.toLocaleString('en'), 'middle', 11),
  )
  const lines = curves.map(({ name, points: own }, index) => {
    const colour = hues[index % hues.length] ?? '#212529'
    const known = own.filter(([, value]) => value > 0)
    const path = known.map(([rows, value]) => `${round(x(rows))} ${round(y(value))}`).join('L')
    const dots = known.map(
      ([rows, value]) =>
        `<circle cx="${round(x(rows))}" cy="${round(y(value))}" r="3" fill="${colour}"/>`,
    )
    const legend = 70 + index * 20
    return (
      `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}` +
      `<rect x="${width - 215}" y="${legend - 9}" width="12" height="12" fill="${colour}"/>` +
      text(width - 197, legend + 2, name, 'start', 11)
    )
  })
  return svg(height, title, [
    text(12, 20, title, 'start', 15),
    text(12, 36, unit, 'start', 11),
    ...across,
    ...below,
    ...lines,
  ])
}

function svg(height: number, title: string, parts: readonly string[]): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
    `role="img" font-family="system-ui, sans-serif"><title>${escaped(title)}</title>` +
    `<rect width="100%" height="100%" fill="#fff"/>\n${parts.join('\n')}\n</svg>\n`
  )
}

function text(x: number, y: number, content: string, anchor = 'start', size = 12): string {
  const place = `x="${round(x)}" y="${round(y)}" text-anchor="${anchor}"`
  return `<text ${place} font-size="${size}" fill="#212529">${escaped(content)}</text>`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
