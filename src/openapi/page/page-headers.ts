import { hash } from 'node:crypto'
import { pageStyle } from './page-style.ts'

/**
 * The header of every page: nothing is fetched, nothing is run, nobody frames it, and only the style
 * that stands in the page applies (CSP level 3).
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', pageStyle, 'base64')}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}
