/**
 * The characters that each place of a pattern reads, as the bits of a number, so that `&` tells what
 * two of them share. They are found out by samples: all of Latin-1, the characters that the pattern
 * itself names, and one of every other block.
 */
export function alphabet(places: readonly string[]): readonly bigint[] {
  const named = places.flatMap((source) => [...source])
  const samples = [...new Set([...blocks(), ...named])]
  const known = new Map<string, bigint>()
  return places.map((source) => {
    const bits = known.get(source) ?? bitsOf(source, samples)
    known.set(source, bits)
    return bits
  })
}

function bitsOf(source: string, samples: readonly string[]): bigint {
  const form = new RegExp(`^(?:${source})$`, 'u')
  return BigInt(`0b${samples.map((sample) => (form.test(sample) ? 1 : 0)).join('')}`)
}

const latinEnd = 0x100
const planeEnd = 0x1_0000
const blockSize = 0x80

function blocks(): readonly string[] {
  const latin = Array.from({ length: latinEnd }, (_, code) => code)
  const plane = Array.from(
    { length: (planeEnd - latinEnd) / blockSize },
    (_, index) => latinEnd + index * blockSize + (index % blockSize),
  )
  const beyond = [0x1_f600, 0x2_0000, 0x10_fffd]
  return [...latin, ...plane, ...beyond]
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
}
