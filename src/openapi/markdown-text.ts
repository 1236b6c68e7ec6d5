/**
 * What an operator wrote, as Markdown that no renderer takes for markup of HTML. In code spans, which
 * no renderer reads, it stays as it is.
 */
export function markdownText(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 0 ? part.replaceAll('<', '&lt;') : part))
    .join('')
}
