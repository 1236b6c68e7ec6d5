import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { settings } from '../../src/config/settings.ts'
import { settingsTable } from '../../src/config/settings-table.ts'

describe('the table of settings in the reference', () => {
  it('has one row for each setting, with its names, default and meaning', () => {
    const rows = settingsTable().trimEnd().split('\n').slice(2)

    assert.equal(rows.length, Object.keys(settings).length)
    for (const { variable, flag, description } of Object.values(settings)) {
      const row = rows.find((candidate) => candidate.includes(`\`${variable}\``)) ?? ''
      assert.ok(row.includes(`\`--${flag}\``))
      assert.ok(row.endsWith(`| ${description} |`))
    }
  })

  it('shows a default as it would be written, and in words where it depends', () => {
    const table = settingsTable()

    assert.match(table, /^\| `NUNCIO_PORT` \| `--port` \| `port` \| `8080` \|/m)
    assert.match(table, /^\| `NUNCIO_ADMIN_KEY` \|.*\| created at the first start \|/m)
    assert.match(table, /^\| `NUNCIO_CORS_ORIGINS` \|.*\| none \|/m)
  })
})
