/**
 * Returns how often to try a property that has one outcome for every input: a quarter of all times in `npm test`,
 * and all of them in `npm run test:trials`.
 */
export function trials(all: number): number {
  return process.env['NUNCIO_TRIALS'] === 'all' ? all : Math.ceil(all / 4)
}
