import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import spectralRulesets from '@stoplight/spectral-rulesets'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { madeDocument } from './documented.ts'

describe('the OpenAPI document', () => {
  it('passes the recommended rules of Spectral', async () => {
    const linter = new spectralCore.Spectral()
    linter.setRuleset(
      new spectralCore.Ruleset({ extends: [[spectralRulesets.oas, 'recommended']] }),
    )

    const findings = await linter.run({ ...madeDocument() })

    assert.deepEqual(
      findings.map(({ code, path, message }) => `${code} ${path.join('.')} ${message}`),
      [],
    )
  })

  it('passes the strict recommended rules of Redocly', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const source = JSON.stringify(madeDocument())

    const findings = await lintFromString({ source, absoluteRef: 'openapi.json', config })

    assert.deepEqual(
      findings.map(
        ({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer} ${message}`,
      ),
      [],
    )
  })
})
