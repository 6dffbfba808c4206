import { createHmac } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { equalTexts } from '../console/access.js';
import { spansEndpoint } from '../../services/common/telemetry.js';
import type { SandboxSettings } from '../settings.js';
import { spansOfOtlp } from './stored-span.js';
import type { TraceStore } from './trace-store.js';

/** Where the sandbox's sign-in layers send their spans. */
export const spansPath = '/_castellan/otlp/v1/traces';

/** What a sign-in layer's process needs to send its spans. */
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

/**
 * Takes spans in OTLP by HTTP (JSON), and passes them on to the endpoint that the environment names.
 */
export function registerSpans(
  app: FastifyInstance,
  store: TraceStore,
  settings: SandboxSettings,
  {
    env,
    onError,
  }: {
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly onError: (error: unknown) => void;
  },
): void {
  const further = spansEndpoint(env);
  const headers = headersOf(
    env['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] ?? env['OTEL_EXPORTER_OTLP_HEADERS'],
  );
  app.post(spansPath, async (request, reply) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    if (!equalTexts(token, spansToken(settings))) return reply.code(401).send({});
    store.add(spansOfOtlp(request.body));
    if (further !== undefined)
      fetch(further, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(request.body),
      }).catch(onError);
    return reply.code(200).send({});
  });
}

/** `name=value,…` with URL encoding (OpenTelemetry, protocol exporter). */
function headersOf(text = ''): Record<string, string> {
  return Object.fromEntries(
    text
      .split(',')
      .map((each) => each.split('=', 2).map((part) => decodeURIComponent(part.trim())))
      .flatMap(([name = '', value]) => (name === '' || value === undefined ? [] : [[name, value]])),
  );
}
