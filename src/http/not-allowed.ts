import { Problem } from '../core/problem.ts'

/** The refusal of a method that a path does not have; `allow` are those it has (RFC 9110 section 15.5.6). */
export function notAllowed(method: string, allow: string): Problem {
  // Where nothing is created a POST may still be a query.
  const detail = allow.split(', ').includes(method)
    ? `${method} creates nothing here: it takes a query, as a form or with X-HTTP-Method-Override: GET.`
    : `${method} is not offered here; ${allow} are.`
  return new Problem('method-not-allowed', detail, { headers: { allow } })
}
