/** Converts the value of a placeholder; the argument follows a colon. */
export type TemplateFunction = (value: string, argument: string) => string

/** The functions of placeholders, as in `{{body|base64}}`. */
export const templateFunctions: Readonly<Record<string, TemplateFunction>> = {
  base64: (value) => Buffer.from(value).toString('base64'),
  hex: (value) => Buffer.from(value).toString('hex'),
  hex16: (value) => Buffer.from(value, 'utf16le').swap16().toString('hex'),
  lower: (value) => value.toLowerCase(),
  upper: (value) => value.toUpperCase(),
  date: (value, format) => dateText(new Date(value), format),
}

/** One application of a function. */
export interface AppliedFunction {
  readonly name: string
  readonly argument: string
}

/** Parses functions such as `|lower|date:yyyyMMdd`. */
export function readFunctions(text: string): readonly AppliedFunction[] {
  return text
    .split('|')
    .slice(1)
    .map((each) => {
      const [name = '', ...argument] = each.split(':')
      return { name: name.trim(), argument: argument.join(':').trim() }
    })
}

/** Applies functions in their order. Settings with an unknown one are refused before. */
export function applyFunctions(value: string, functions: readonly AppliedFunction[]): string {
  return functions.reduce((result, { name, argument }) => {
    const apply = Object.hasOwn(templateFunctions, name) ? templateFunctions[name] : undefined
    return apply === undefined ? result : apply(result, argument)
  }, value)
}

/** Returns why a function cannot be applied to a placeholder, as "must …"; null if it can. */
export function functionFault(
  placeholder: string,
  { name, argument }: AppliedFunction,
): string | null {
  if (!Object.hasOwn(templateFunctions, name)) {
    return `must use functions of ${Object.keys(templateFunctions).join(', ')}, not ${name}`
  }
  if (name !== 'date') return argument === '' ? null : `must give ${name} no argument`
  if (placeholder !== 'time' && placeholder !== 'validUntil') {
    return 'must apply date to time or validUntil'
  }
  return argument === '' ? 'must give date a form such as date:yyyy-MM-dd, or date:unix' : null
}

/** In UTC. Letters that name no part of a date stay. */
function dateText(date: Date, format: string): string {
  if (format === 'unix') return String(Math.floor(date.getTime() / 1000))
  const iso = date.toISOString()
  const parts: Readonly<Record<string, string>> = {
    yyyy: iso.slice(0, 4),
    yy: iso.slice(2, 4),
    MM: iso.slice(5, 7),
    dd: iso.slice(8, 10),
    HH: iso.slice(11, 13),
    mm: iso.slice(14, 16),
    ss: iso.slice(17, 19),
    SSS: iso.slice(20, 23),
  }
  return format.replace(/yyyy|yy|MM|dd|HH|mm|ss|SSS/g, (part) => parts[part] ?? part)
}
