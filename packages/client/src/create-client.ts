import type { Client, NoneDeclared } from './declarations/client.ts'
import { caller, type Caller } from './requests/call.ts'
import type { DeclaredCollections } from './declarations/declared.ts'
import { instanceOperations, instancePath } from './operations/instance-operations.ts'
import { listOperations } from './operations/list-operations.ts'
import { notifications } from './notifications/notifications.ts'
import type { ClientOptions } from './options.ts'
import { sender } from './requests/send.ts'
import { settings, type Settings } from './settings.ts'
import { updater } from './operations/update.ts'
import type { Newest, VersionName, VersionsOf } from './declarations/version.ts'

/**
 * Makes a client of the service at `baseUrl`. `createClient<typeof config>(…)` adds the collections
 * of a configuration; `createClient<typeof config, 'v1'>(…)` has them as in an older version. Throws
 * TypeError for an invalid URL or version.
 */
export function createClient<
  const D extends DeclaredCollections = NoneDeclared,
  const V extends VersionName<D> = Newest<D>,
>(options: ClientOptions & Spoken<D, V>): Client<D, V> {
  const complete = settings(options)
  const call = caller(complete, sender(complete))
  const fixed = { notifications: notifications(call, complete) }
  // Only the types have names of collections: at run time every name is a collection.
  return byName(fixed, (name) => resource(call, name, complete)) as Client<D, V>
}

/** A configuration with several versions requires the option `version`. */
type Spoken<D extends DeclaredCollections, V extends string> =
  VersionsOf<D> extends readonly [] ? { readonly version?: V | undefined } : { readonly version: V }

/** Returns the operations on the collection at a path, and access to its nested collections. */
function resource(call: Caller, path: string, complete: Settings): object {
  const instances = instanceOperations(call, path, complete.random)
  return {
    ...listOperations(call, path, complete),
    ...instances,
    update: updater(instances, complete),
    at: (id: string) => {
      const parent = instancePath(path, id)
      return byName({}, (name) => resource(call, `${parent}/${name}`, complete))
    },
  }
}

/** Returns an object with fixed members; every other name calls `make`. */
function byName(fixed: object, make: (name: string) => object): object {
  const made = new Map<string, object>()
  return new Proxy(fixed, {
    get: (target, name) => {
      if (typeof name === 'symbol' || name in target || isAsked(name)) {
        return Reflect.get(target, name)
      }
      const known = made.get(name) ?? make(name)
      made.set(name, known)
      return known
    },
  })
}

/** Returns true for the names by which `await` and `JSON.stringify` would find a function. */
function isAsked(name: string): boolean {
  return name === 'then' || name === 'toJSON'
}
