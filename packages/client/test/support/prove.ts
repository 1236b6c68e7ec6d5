import assert from 'node:assert/strict'

/** True if two types are the same. */
export type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** True if a value of the type `V` is allowed for `T`. */
export type Accepts<T, V> = [V] extends [T] ? true : false

/** True if an object type has a member of this name. */
export type Has<T, K extends PropertyKey> = K extends keyof T ? true : false

/** States something of types. The compiler refuses a statement that does not hold. */
export function prove<T extends boolean>(holds: T): void {
  assert.equal(typeof holds, 'boolean')
}
