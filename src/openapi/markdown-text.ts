/**
 * Escapes an operator's text so that Markdown renderers find no HTML in it. Code spans stay
 * unchanged, since no renderer parses them.
 */
export function markdownText(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 0 ? part.replaceAll('<', '&lt;') : part))
    .join('')
}
