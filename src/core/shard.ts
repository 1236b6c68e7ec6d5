declare const brand: unique symbol

/** The range of one commit: a whole store, or one server of a distributed one. */
export type Shard = string & { readonly [brand]: 'Shard' }

/** Takes the name of a server as that of a shard. */
export function shardNamed(name: string): Shard {
  return name as Shard
}

/** The shard of a store on one server. */
export const wholeStore = shardNamed('')
