import { spansEndpoint } from '../../services/common/telemetry.js';
import { type StoredSpan, toOtlpRequest } from './stored-span.js';

/** How long spans are queued before they are sent in one request. */
const flushDelayMs = 250;

/**
 * Sends spans to the endpoint that the environment names, by OTLP over HTTP in JSON
 * (`OTEL_EXPORTER_OTLP_ENDPOINT` and its variant for traces, with their headers).
 */
export class SpanExporter {
  #queuedSpans: StoredSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  private readonly headers: Readonly<Record<string, string>>;

  private constructor(
    private readonly endpoint: string,
    headers: Readonly<Record<string, string>>,
    private readonly onError: (error: unknown) => void,
  ) {
    this.headers = { ...headers, 'content-type': 'application/json' };
  }

  /** @returns undefined where the environment names no endpoint */
  static from(
    env: Readonly<Record<string, string | undefined>>,
    onError: (error: unknown) => void,
  ): SpanExporter | undefined {
    const endpoint = spansEndpoint(env);
    const headers = {
      ...parseHeaders(env['OTEL_EXPORTER_OTLP_HEADERS']),
      ...parseHeaders(env['OTEL_EXPORTER_OTLP_TRACES_HEADERS']),
    };
    return endpoint === undefined ? undefined : new SpanExporter(endpoint, headers, onError);
  }

  /** Queues a span of the sandbox, to be sent with others in one request. */
  add(span: StoredSpan): void {
    this.#queuedSpans.push(span);
    this.#timer ??= setTimeout(() => void this.flush(), flushDelayMs);
  }

  /** Sends an ExportTraceServiceRequest as it is. */
  async send(body: unknown): Promise<void> {
    try {
      const { endpoint, headers } = this;
      const answer = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify(body) });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`${endpoint} answered ${String(answer.status)}`);
    } catch (error) {
      this.onError(error);
    }
  }

  /** Sends the queued spans. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const spans = this.#queuedSpans;
    this.#queuedSpans = [];
    if (spans.length > 0) await this.send(toOtlpRequest('castellan-sandbox', spans));
  }
}

/**
 * Parses `name=value,…` with URL encoding (OpenTelemetry Protocol Exporter). As OpenTelemetry's own
 * exporters do, it passes over what is no such pair.
 */
function parseHeaders(text = ''): Record<string, string> {
  return Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const [, name, value] = /^\s*([^\s=]+)\s*=\s*(.*\S)\s*$/.exec(pair) ?? [];
      if (name === undefined || value === undefined) return [];
      try {
        return [[decodeURIComponent(name), decodeURIComponent(value)] as const];
      } catch {
        return [];
      }
    }),
  );
}
