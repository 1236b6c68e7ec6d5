const heading = '## Unreleased\n'

/** The changelog with the section of a release, and the section's text alone. */
export interface ReleasedChangelog {
  readonly changelog: string
  readonly section: string
}

/** Moves the unreleased entries into the section of a version; null if there are none. */
export function changelogSection(
  changelog: string,
  version: string,
  date: string,
): ReleasedChangelog | null {
  const start = changelog.indexOf(heading)
  if (start === -1) return null
  const [head, rest] = [changelog.slice(0, start), changelog.slice(start + heading.length)]
  const next = /^## /m.exec(rest)?.index ?? rest.length
  const [entries, older] = [rest.slice(0, next).trim(), rest.slice(next)]
  if (!/^- /m.test(entries)) return null
  const section = `## ${version} - ${date}\n\n${entries}\n`
  return { changelog: `${head}${heading}\n${section}${older && `\n${older}`}`, section }
}
