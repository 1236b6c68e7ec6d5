import {
  collectionPath,
  qualifiedName,
  type ResourceMethod,
} from '../../core/declaration/collection.ts'
import type { Access } from '../../core/account.ts'
import type { OpenApiOperation, PathItem } from '../document.ts'
import {
  createOperation,
  deleteOperation,
  listOperation,
  patchOperation,
  type PathSource,
  type PlainSource,
  putOperation,
  queryOperation,
  readOperation,
  type Remarks,
} from './collection-operations.ts'
import { idParameter } from './shared-parameters.ts'

/** The paths of a collection: the collection itself and an instance of it. */
export function collectionPaths(source: PathSource): Readonly<Record<string, PathItem>> {
  const { compiled, parent, version } = source
  const { methods, noun } = compiled.declared
  const path = `/${version}/${collectionPath(compiled.declared)}`
  const above = parent === null ? [] : [idParameter('id', parent.declared.noun)]
  const idName = parent === null ? 'id' : 'subid'
  const below = [...above, idParameter(idName, noun)]

  const onCollection: PathItem = {
    ...(above.length > 0 ? { parameters: above } : {}),
    ...offered(methods.collection, 'GET', 'get', () => complete(source, 'LIST', listOperation)),
    ...offered(methods.collection, 'POST', 'post', () => complete(source, 'POST', createOperation)),
    ...offered(methods.collection, 'GET', 'x-query', () =>
      complete(source, 'LIST', queryOperation),
    ),
  }
  const onInstance: PathItem = {
    parameters: below,
    ...offered(methods.instance, 'GET', 'get', () => complete(source, 'GET', readOperation)),
    ...offered(methods.instance, 'PUT', 'put', () => complete(source, 'PUT', putOperation)),
    ...offered(methods.instance, 'PATCH', 'patch', () => complete(source, 'PATCH', patchOperation)),
    ...offered(methods.instance, 'DELETE', 'delete', () =>
      complete(source, 'DELETE', deleteOperation),
    ),
  }
  return {
    ...(methods.collection.length > 0 ? { [path]: onCollection } : {}),
    ...(methods.instance.length > 0 ? { [`${path}/{${idName}}`]: onInstance } : {}),
  }
}

function offered(
  methods: readonly ResourceMethod[],
  method: ResourceMethod,
  key: keyof Omit<PathItem, 'parameters'>,
  operation: () => OpenApiOperation,
): PathItem {
  return methods.includes(method) ? { [key]: operation() } : {}
}

/** An operation with its group, its scope, and what the collection's own rules add. */
function complete(
  source: PathSource,
  method: keyof Remarks,
  make: (source: PathSource) => PlainSource,
): OpenApiOperation {
  const { access, summary, operationId, description, ...rest } = make(source)
  const remark = source.remarks[method]
  const scope = scopeOf(source, access)
  const sentences = [description, remark, `Takes the scope \`${scope}\`.`]
  return {
    operationId,
    tags: [qualifiedName(source.compiled.declared)],
    summary,
    description: sentences.filter((text) => text !== undefined).join('\n\n'),
    ...rest,
  }
}

/** Returns the scope of an operation; a nested collection uses that of its parent. */
function scopeOf({ compiled, parent }: PathSource, access: Access): string {
  const { declared } = parent ?? compiled
  const byAdministrators = declared.changedByAdministrators && access === 'write'
  return declared.administratorsOnly || byAdministrators ? 'admin' : `${declared.name}:${access}`
}
