import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRequire, registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Where the packages of this folder are. */
const folder = pathToFileURL(join(import.meta.dirname, 'package.json'))

/** Lets the service find OpenTelemetry's packages here, as if an operator had installed them. */
export function installPackages(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, {
        ...context,
        ...(specifier.startsWith('@opentelemetry/') ? { parentURL: folder.href } : {}),
      }),
  })
}

/** JSON that a test looks into without checking each step. */
type Json = ReturnType<typeof JSON.parse>

/** A collector that keeps what it received. */
export interface Collector extends AsyncDisposable {
  readonly endpoint: string
  readonly spans: Json[]
  readonly metrics: Json[]
}

/** Starts a receiver of OTLP over HTTP in protobuf, which another version's messages decode. */
export async function startCollector(): Promise<Collector> {
  const path = './node_modules/otlp-transformer-203/build/src/generated/root.js'
  const { collector } = createRequire(folder)(path).opentelemetry.proto
  const types: Json = {
    '/v1/traces': collector.trace.v1.ExportTraceServiceRequest,
    '/v1/metrics': collector.metrics.v1.ExportMetricsServiceRequest,
  }
  const spans: Json[] = []
  const metrics: Json[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const type = types[request.url ?? '']
    const options = { longs: String, bytes: String, enums: String }
    const body = type.toObject(type.decode(Buffer.concat(chunks)), options)
    for (const { scopeSpans } of body.resourceSpans ?? []) {
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
    for (const { scopeMetrics } of body.resourceMetrics ?? []) {
      for (const scope of scopeMetrics) metrics.push(...scope.metrics)
    }
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    metrics,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Bytes of an identifier in protobuf's JSON, as hexadecimal digits. */
export function hex(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex')
}
