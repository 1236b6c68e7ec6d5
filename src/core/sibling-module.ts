/**
 * Returns the URL of another module of the program, whose path has no extension. The compiler rewrites the
 * extensions of imports, but not of URLs: a module is `.ts` in the source and `.js` in the build.
 */
export function siblingModule(path: string, from: string): URL {
  return new URL(path + from.slice(from.lastIndexOf('.')), from)
}
