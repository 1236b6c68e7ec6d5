import { fetchUtils, HttpError } from 'ra-core'
import jsonServerProvider from 'ra-data-json-server'

/**
 * A data provider of react-admin for the Nuncio at `url`, such as `https://messages.example.com/v1`.
 * A resource is the path of a collection: `contacts`, `groups/staff/contacts`.
 */
export function dataProvider(url, key) {
  const read = (address, options) => request(address, options, key)
  return jsonServerProvider(url, read)
}

/** Sends what ra-data-json-server asks for, in the words of Nuncio. */
async function request(address, options = {}, key) {
  const headers = new Headers({ Accept: 'application/json', Authorization: `Bearer ${key}` })
  headers.set('Prefer', 'count=exact')
  const { method = 'GET' } = options
  try {
    const answer = await fetchUtils.fetchJson(inOurWords(address), { ...options, headers })
    // A deletion is answered with nothing; react-admin wants to know what is gone.
    const id = decodeURIComponent(new URL(address).pathname.split('/').at(-1))
    return method === 'DELETE' ? { ...answer, json: { id } } : answer
  } catch (error) {
    throw error instanceof HttpError && error.body?.detail ? refusal(error) : error
  }
}

/** `_sort`, `_order`, `_start`, `_end` and `q` are called otherwise here; filters are not. */
function inOurWords(address) {
  const url = new URL(address)
  const given = url.searchParams
  if (![...given.keys()].length) return address
  const own = new URLSearchParams()
  for (const [name, value] of given) {
    if (name === 'q') own.append('search', value)
    else if (!name.startsWith('_')) own.append(name, value)
  }
  const [start, end] = [Number(given.get('_start')), Number(given.get('_end') ?? 1000)]
  if (given.has('_sort'))
    own.set('sort', `${given.get('_sort')}_${given.get('_order').toLowerCase()}`)
  own.set('pageSize', String(end - start))
  own.set('page', String(start / (end - start) + 1))
  url.search = own.toString()
  return url.href
}

/** A problem as react-admin shows it: a sentence, and beside each field what is wrong with it. */
function refusal({ status, body }) {
  const faults = (body.errors ?? []).filter(({ pointer }) => pointer)
  const fields = faults.map(({ pointer, detail }) => [
    pointer.slice(1).replaceAll('/', '.'),
    detail,
  ])
  return new HttpError(body.detail, status, { ...body, errors: Object.fromEntries(fields) })
}
