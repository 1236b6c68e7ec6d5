/** How often a fault is made: few times in the tests, more in `npm run chaos`. */
export function rounds(inTests: number, inChaos: number): number {
  return process.env['CHAOS'] === undefined ? inTests : inChaos
}
