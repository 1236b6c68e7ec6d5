/** Entity tags by instance. An entry lives as long as its instance. */
const tags = new WeakMap<object, string>()

/**
 * Returns the entity tag (RFC 9110 section 8.8.3) of an instance that `get`, `create`, `put`,
 * `patch` or `update` returned, for `ifMatch`; undefined for any other object, also for a copy.
 */
export function etagOf(instance: object): string | undefined {
  return tags.get(instance)
}

/** Stores the entity tag of an instance from its response. */
export function noteEtag(instance: object, headers: Headers): void {
  const tag = headers.get('etag')
  if (tag !== null) tags.set(instance, tag)
}
