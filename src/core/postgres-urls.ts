/** `scheme://user:password@`, hosts, and the rest. An `@` in a password is encoded. */
const form = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

/** Returns a PostgreSQL URL for each host of one that may name several, as in `postgres://a:5432,b:5433/db`. */
export function postgresUrls(url: string): readonly string[] {
  const [, before = '', hosts = '', after = ''] = form.exec(url) ?? []
  const isSeveral = hosts.includes(',')
  return isSeveral ? hosts.split(',').map((host) => before + host + after) : [url]
}

/** Returns hosts, separated by commas. */
export function postgresHosts(url: string): string {
  return postgresUrls(url)
    .map((each) => new URL(each).host)
    .join(',')
}

/** Returns a PostgreSQL URL without user, password and parameters. */
export function shownPostgresUrl(url: string): string {
  const [first = url] = postgresUrls(url)
  return `postgres://${postgresHosts(url)}${new URL(first).pathname}`
}

/** Returns a PostgreSQL URL with its user, and without password and parameters. */
export function postgresUrlForPrograms(url: string): string {
  const [, before = '', hosts = '', after = ''] = form.exec(url) ?? []
  return before.replace(/:[^/@]*@$/, '@') + hosts + after.replace(/[?#].*$/s, '')
}
