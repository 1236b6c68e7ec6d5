import formats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { OpenApiDocument } from '../../src/openapi/document.ts'

/** Gives the check of a schema by its place in a document, such as `components/schemas/Message`. */
export function schemaValidator(document: OpenApiDocument): (place: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
  formats.default(ajv)
  // An OpenAPI document is no schema, and may have members of any name; `x-types` and `x-default` only tell.
  ajv.addVocabulary([...Object.keys(document), 'x-types', 'x-default'])
  ajv.addSchema(document, 'document')
  return (place) => {
    const check = ajv.getSchema(`document#/${place}`)
    if (check === undefined) throw new Error(`There is no schema at ${place}.`)
    return check
  }
}
