import { hash } from 'node:crypto'
import { pageStyle } from './page-style.ts'

/** Returns the headers of a page that nobody frames and that may load what its policy names (CSP level 3). */
export function htmlHeaders(allowed: readonly string[]): Readonly<Record<string, string>> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': [
      "default-src 'none'",
      ...allowed,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  }
}

/** The headers of a page of a problem: only the style that stands in it applies. */
export const pageHeaders = htmlHeaders([
  `style-src 'sha256-${hash('sha256', pageStyle, 'base64')}'`,
  'img-src data:',
])
