import type { ApiDocument } from '../../../src/cli/collections/api-document.ts'

const input = { 'application/json': { schema: { $ref: '#/components/schemas/ContactInput' } } }

/** A part of an OpenAPI document in the form that the service writes. */
export const apiDocument: ApiDocument = {
  paths: {
    '/v1/keys': { get: { parameters: [{ name: 'sort' }, sharedParameter('PageSize')] } },
    '/v1/contacts': {
      get: { parameters: [{ name: 'name' }] },
      post: { requestBody: { content: input } },
    },
    '/v1/contacts/{id}': { patch: { requestBody: { content: input } } },
    '/v1/groups/{id}/contacts': { post: { requestBody: { content: input } } },
    '/v1/auditEvents': { get: {} },
  },
  components: {
    schemas: {
      Ignored: { readOnly: true },
      ContactInput: {
        type: 'object',
        properties: {
          id: { $ref: '#/components/schemas/Ignored' },
          createdAt: { $ref: '#/components/schemas/Ignored' },
          name: { type: ['string', 'null'] },
          age: { type: 'integer' },
          active: { type: 'boolean' },
          tags: { type: 'array', items: { type: 'string' } },
          routes: { type: 'array', items: { type: 'object' } },
          attributes: { type: 'object', additionalProperties: { type: 'string' } },
          settings: { type: 'object', properties: {}, additionalProperties: true },
          limits: {
            type: ['object', 'null'],
            properties: { keys: { type: ['integer', 'null'] } },
            additionalProperties: false,
          },
        },
        additionalProperties: false,
      },
    },
  },
}

function sharedParameter(name: string): object {
  return { $ref: `#/components/parameters/${name}` }
}
