import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OpenApiDocument } from '../../../src/openapi/document.ts'
import { madeDocument } from '../../openapi/documented.ts'
import { documentOf } from '../../openapi/support/versioned.ts'

const documents: readonly (readonly [string, OpenApiDocument])[] = [
  ['the newest', madeDocument()],
  ...['v1', 'v1.1.0'].map((name) => [name, documentOf(name)] as const),
]

describe('the OpenAPI document', () => {
  for (const [name, document] of documents) {
    it(`passes the recommended rules of Spectral: ${name}`, async () => {
      const linter = new spectralCore.Spectral()
      linter.setRuleset(
        new spectralCore.Ruleset({ extends: [[spectralRulesets.oas, 'recommended']] }),
      )

      const findings = await linter.run({ ...document })

      assert.deepEqual(
        findings.map(({ code, path, message }) => `${code} ${path.join('.')} ${message}`),
        [],
      )
    })

    it(`passes the strict recommended rules of Redocly: ${name}`, async () => {
      const config = await createConfig({ extends: ['recommended-strict'] })
      const source = JSON.stringify(document)

      const findings = await lintFromString({ source, absoluteRef: 'openapi.json', config })

      assert.deepEqual(
        findings.map(
          ({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer} ${message}`,
        ),
        [],
      )
    })
  }
})
