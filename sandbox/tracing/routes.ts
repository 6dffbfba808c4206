import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { isSameSecret } from '../console/authentication.js';
import type { SandboxSettings } from '../settings.js';
import type { SpanExporter } from './span-exporter.js';
import { parseOtlpRequest } from './stored-span.js';
import type { TraceStore } from './trace-store.js';

/** Where the sandbox's sign-in layers send their spans. */
export const spansPath = '/_castellan/otlp/v1/traces';

/** The environment variables by which a sign-in layer sends its spans to the sandbox. */
export function spanVariables(
  origin: string,
  settings: SandboxSettings,
): Readonly<Record<string, string>> {
  return {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${origin}${spansPath}`,
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: `authorization=Bearer%20${spansToken(settings)}`,
    // In milliseconds: a person looks at a trace right after the request.
    OTEL_BSP_SCHEDULE_DELAY: '250',
  };
}

function spansToken({ adminToken }: SandboxSettings): string {
  return createHmac('sha256', adminToken).update('spans').digest('base64url');
}

/** Adds the route that receives spans by OTLP/HTTP in JSON, and passes them to the exporter. */
export function registerSpansRoute(
  app: FastifyInstance,
  store: TraceStore,
  settings: SandboxSettings,
  exporter: SpanExporter | undefined,
): void {
  app.post(spansPath, (request, reply) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (!isSameSecret(token, spansToken(settings))) return reply.code(401).send({});
    store.add(parseOtlpRequest(request.body));
    void exporter?.send(request.body);
    return reply.code(200).send({});
  });
}
