import type { ShiftTable } from './shift-table.ts'

/** The GSM 7 bit default alphabet, 3GPP TS 23.038 section 6.2.1. */
export const defaultAlphabet: ShiftTable = [
  '@£$¥èéùìòÇ\nØø\rÅå',
  'Δ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ',
  ' !"#¤%&\'()*+,-./',
  '0123456789:;<=>?',
  '¡ABCDEFGHIJKLMNO',
  'PQRSTUVWXYZÄÖÑÜ§',
  '¿abcdefghijklmno',
  'pqrstuvwxyzäöñüà',
]

/** Its extension table, section 6.2.1.1: an escape and a second septet each. */
export const defaultExtension: ShiftTable = [
  '··········\f·····',
  '····^······\u001b····',
  '········{}·····\\',
  '············[~]·',
  '|···············',
  '················',
  '·····€··········',
  '················',
]
