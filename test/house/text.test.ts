import { describe, it } from 'node:test'
import { assertNone } from './support/faults.ts'
import { sources, textOf, texts } from './support/project.ts'

/** A pattern, the files that may contain it, and the correction elsewhere. */
const reserved: readonly (readonly [pattern: RegExp, home: RegExp, correction: string])[] = [
  [
    /\bDate\.now\(|\bnew Date\(\)/,
    /^src\/core\/ports\/clock\.ts$|^packages\/receiver\/|^packages\/client\/src\/clock\.ts$/,
    'use the clock that is passed in',
  ],
  [
    /\bperformance\.now\(/,
    /^src\/core\/ports\/clock\.ts$|^packages\/client\/src\/clock\.ts$/,
    'use the clock that is passed in',
  ],
  [
    /\bset(Timeout|Interval)\(/,
    /^src\/core\/ports\/clock\.ts$|^packages\/receiver\/|^packages\/client\/src\/clock\.ts$/,
    'use clock.after',
  ],
  [/\bMath\.random\(/, /^src\/core\/ports\/random\.ts$/, 'use the randomness that is passed in'],
  [
    /\brandomBytes\(|\brandomFill/,
    /^src\/core\/ports\/random\.ts$/,
    'use the randomness that is passed in',
  ],
  [/\bprocess\.env\b/, /^src\/config\//, 'use the configuration that is passed in'],
  [/\bprocess\.exit\(/, /^$/, 'set process.exitCode and let the program end'],
  [/\bas any\b|: any\b|<any>/, /^$/, 'use unknown and a check'],
  [
    /\bconsole\.(?!ts\b)/,
    /^packages\/receiver\/src\/receiver\.ts$/,
    'use the log that is passed in',
  ],
  [/\b(TODO|FIXME|XXX|HACK)\b/, /^$/, 'do it, or open an issue'],
  [
    /@ts-(ignore|expect-error|nocheck)|oxlint-disable|eslint-disable|prettier-ignore/,
    /^$/,
    'correct the cause',
  ],
  [/^export (\*|\{[^}]*\}) from/, /\/index\.ts$/, 'import from the file that declares it'],
]

const columnsMax = 120

/** A time without its unit. */
const unitless = /\b(\w*(?:timeout|delay|interval|pause|grace|period|duration))\??: number\b/gi

const commentedCode = /^\s*\/\/\s*(?:(?:const|let|return|import|await|export)\b.*[;({]$|if \(.*\{$)/

describe('the text of a source file', () => {
  it('uses clock, randomness, environment and console in their file only', () => {
    const faults = sources.flatMap((file) =>
      textOf(file)
        .split('\n')
        .flatMap((line, index) => {
          const code = line.replace(/^\s*(\/\*\*|\*|\/\/).*/, '')
          return reserved
            .filter(([pattern]) => pattern.test(pattern.source.includes('TODO') ? line : code))
            .filter(([, home]) => !home.test(file))
            .map(([, , correction]) => `${file}:${index + 1}: ${correction}`)
        }),
    )
    assertNone(faults)
  })

  it('has lines that fit side by side', () => {
    const faults = [...texts]
      .filter(([file]) => file.endsWith('.ts'))
      .flatMap(([file, text]) =>
        text
          .split('\n')
          .flatMap((line, index) =>
            [...line].length > columnsMax
              ? [`${file}:${index + 1}: break the line, it has over ${columnsMax} columns`]
              : [],
          ),
      )
    assertNone(faults)
  })

  it('documents every export', () => {
    const faults = sources.flatMap((file) => {
      const lines = textOf(file).split('\n')
      return lines.flatMap((line, index) => {
        const exported = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/.exec(
          line,
        )
        if (exported === null) return []
        const before = lines[index - 1] ?? ''
        return /\*\/\s*$/.test(before)
          ? []
          : [`${file}:${index + 1}: document ${exported[1]} above it`]
      })
    })
    assertNone(faults)
  })

  it('names the unit of a time', () => {
    const faults = sources.flatMap((file) =>
      [...textOf(file).matchAll(unitless)].map(
        ([, name]) => `${file}: name the unit of ${name}, as in ${name}Ms`,
      ),
    )
    assertNone(faults)
  })

  it('has no code in comments', () => {
    const faults = sources.flatMap((file) =>
      textOf(file)
        .split('\n')
        .flatMap((line, index) =>
          commentedCode.test(line) ? [`${file}:${index + 1}: delete the code in the comment`] : [],
        ),
    )
    assertNone(faults)
  })

  it('extends no class but errors', () => {
    const faults = sources.flatMap((file) =>
      [...textOf(file).matchAll(/^(?:export )?class (\w+)[^{]*? extends (\w+)/gm)]
        .filter(([, , parent = '']) => !parent.endsWith('Error') && !isError(parent))
        .map(([, name, parent]) => `${file}: ${name} must not extend ${parent}; compose`),
    )
    assertNone(faults)
  })

  it('names no path of a particular machine', () => {
    const faults = [...texts]
      .filter(([file]) => file !== 'test/house/text.test.ts')
      .filter(([, text]) => /\/(home|Users|root)\/[a-z]+|\/work\//.test(text))
      .map(([file]) => `${file}: name no path of a particular machine`)
    assertNone(faults)
  })
})

/** Returns true for a class that extends an error itself. */
function isError(name: string): boolean {
  return sources.some((file) =>
    new RegExp(`^(?:export )?class ${name}\\b[^{]* extends \\w*Error\\b`, 'm').test(textOf(file)),
  )
}
