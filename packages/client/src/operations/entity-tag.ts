/** The entity tags of the instances that came with one. They last as long as these are in use. */
const tags = new WeakMap<object, string>()

/**
 * The entity tag (RFC 9110 section 8.8.3) of an instance that `get`, `create`, `put`, `patch` or
 * `update` returned, for `ifMatch`; undefined for any other object, a copy included.
 */
export function etagOf(instance: object): string | undefined {
  return tags.get(instance)
}

/** Notes the entity tag of an instance that was just read. */
export function noteEtag(instance: object, headers: Headers): void {
  const tag = headers.get('etag')
  if (tag !== null) tags.set(instance, tag)
}
