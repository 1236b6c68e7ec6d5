import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keywordReader } from '../../src/gateway/reports/keyword.ts'

describe('the operator’s own keywords', () => {
  const wishOf = keywordReader({
    stop: ['arrêt', 'iptal', 'Ne plus recevoir', 'СТОП', 'στοπ', '停止', 'Größe', 'weiter'],
    start: ['weiter', 'reprendre', 'stop'],
  })

  it('opt out and in, in any case and any composition', () => {
    for (const body of [
      'ARRÊT',
      'arre\u0302t',
      ' Arrêt\n',
      'İPTAL',
      'IPTAL',
      'ıptal',
      'ne  PLUS\u00a0recevoir',
      'стоп',
      'ΣΤΟΠ',
      '停止',
      'GRÖSSE',
    ]) {
      assert.equal(wishOf(body), 'STOP', body)
    }
    assert.equal(wishOf('Reprendre'), 'START')
  })

  it('are words alone', () => {
    for (const body of ['arrêt!', 'arret', 'un arrêt', 'στοπ στοπ', '', ` ${' '.repeat(300)}arrêt`])
      assert.equal(wishOf(body), null, body)
  })

  it('opt out where a word is on both lists, and leave the English ones as they are', () => {
    assert.equal(wishOf('weiter'), 'STOP')
    assert.equal(wishOf('stop'), 'STOP')
    assert.equal(wishOf('START'), 'START')
  })

  it('are none where there are none', () => {
    const english = keywordReader({ stop: [], start: [] })

    assert.equal(english('arrêt'), null)
    assert.equal(english('ſtop'), null)
    assert.equal(english('Unsubscribe'), 'STOP')
  })
})
