import { join } from 'node:path'

/** The project that is tested. */
export const project = join(import.meta.dirname, '..', '..')

/** The arguments with which Node runs the program of a project from its TypeScript. */
export function programIn(folder: string): readonly string[] {
  return ['--conditions=nuncio-source', join(folder, 'bin/nuncio.ts')]
}

/** The program as `npm start` runs it: compiled, by `npm run build`. */
export const builtProgram = join(project, 'dist/bin/nuncio.js')
