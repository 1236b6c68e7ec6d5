/** The path of an instance below the version. Throws TypeError for what no address can name. */
export function instancePath(collection: string, id: string): string {
  // An empty identifier would name the collection; URLs take dots for steps upwards (RFC 3986 section 5.2.4).
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) {
    throw new TypeError(`an identifier must be a text other than "", "." and "..", is ${id}`)
  }
  return `${collection}/${encodeURIComponent(id)}`
}
