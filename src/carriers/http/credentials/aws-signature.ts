import type { Clock } from '../../../core/ports/clock.ts'
import type { OutgoingRequest } from '../../../core/ports/outgoing-request.ts'
import { asItIs, fill, readTemplate, type TemplateValues } from '../requests/template.ts'
import type { Sigv4Settings } from './credential-settings.ts'

/** Signs a request for AWS (Signature Version 4). */
export type SignAws = (request: OutgoingRequest) => Promise<OutgoingRequest>

/** Creates the signer of a carrier's requests. */
export function awsSigner(declared: Sigv4Settings, values: TemplateValues, clock: Clock): SignAws {
  const text = (template: string): string => fill(readTemplate(template), values, asItIs) ?? ''
  const credentials = {
    accessKeyId: text(declared.accessKeyId),
    secretAccessKey: text(declared.secretAccessKey),
    ...(declared.sessionToken === null ? {} : { sessionToken: text(declared.sessionToken) }),
  }
  const [region, service] = [text(declared.region), text(declared.service)]

  return async (request) => {
    // Loaded on first use: most carriers need none (docs/decisions/0016).
    const { default: aws4 } = await import('aws4')
    const { url, method, headers, body } = request
    const date = new Date(clock.now()).toISOString().replace(/[-:]|\.\d{3}/g, '')
    const signed = aws4.sign(
      {
        host: url.host,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { ...headers, 'X-Amz-Date': date },
        ...(body === null ? {} : { body: Buffer.from(body) }),
        region,
        service,
      },
      credentials,
    )
    return { ...request, headers: { ...headers, ...addedHeaders(signed.headers ?? {}) } }
  }
}

/** The connection sets the host and the length. */
function addedHeaders(signed: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(signed)
      .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
      .filter(([name]) => name === 'authorization' || name.startsWith('x-amz-')),
  )
}
