import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import type { ReadableSpan, SpanProcessor } from '@opentelemetry/sdk-trace-node';
import { spansEndpoint } from '../../services/common/telemetry.js';
import type { StoredSpan } from './stored-span.js';
import type { TraceStore } from './trace-store.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The attribute that names the part of the sandbox that did the work. */
const partAttribute = 'castellan.part';

/** Makes the spans of the sandbox's own parts. */
export class SandboxTracer {
  private constructor(
    private readonly tracer: Tracer,
    readonly store: TraceStore,
    readonly close: () => Promise<void>,
  ) {}

  /** Spans go to the console, and to the OTLP endpoint that the environment names. */
  static async open(store: TraceStore, env: Environment): Promise<SandboxTracer> {
    const { BasicTracerProvider, BatchSpanProcessor } =
      await import('@opentelemetry/sdk-trace-node');
    const processors: SpanProcessor[] = [storeProcessor(store)];
    if (spansEndpoint(env) !== undefined) {
      const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
      processors.push(new BatchSpanProcessor(new OTLPTraceExporter()));
    }
    const { defaultResource, resourceFromAttributes } = await import('@opentelemetry/resources');
    const provider = new BasicTracerProvider({
      resource: defaultResource().merge(
        resourceFromAttributes({ 'service.name': 'castellan-sandbox' }),
      ),
      spanProcessors: processors,
    });
    return new SandboxTracer(provider.getTracer('castellan.sandbox'), store, () =>
      provider.shutdown(),
    );
  }

  /** Starts the span of a request. @param traceparent of the caller, if it sent one */
  start(
    part: string,
    name: string,
    { traceparent, ...attributes }: Attributes & { readonly traceparent?: string | undefined },
  ): Span {
    const [, traceId, spanId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-/.exec(traceparent ?? '') ?? [];
    const parent =
      traceId === undefined || spanId === undefined
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, {
            traceId,
            spanId,
            traceFlags: TraceFlags.SAMPLED,
            isRemote: true,
          });
    return this.tracer.startSpan(
      name,
      { kind: SpanKind.SERVER, attributes: { ...attributes, [partAttribute]: part } },
      parent,
    );
  }
}

/** The value of `traceparent` for what a span calls (W3C Trace Context, 3.2). */
export function traceparentOf(span: Span): string {
  const { traceId, spanId } = span.spanContext();
  return `00-${traceId}-${spanId}-01`;
}

/** Ends the span of a request with its answer. */
export function endSpan(span: Span, status: number): void {
  span.setAttribute('http.response.status_code', status);
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function storeProcessor(store: TraceStore): SpanProcessor {
  return {
    onStart: () => undefined,
    onEnd: (span) => store.add([toStored(span)]),
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
}

function toStored(span: ReadableSpan): StoredSpan {
  const { [partAttribute]: part, ...attributes } = span.attributes;
  const { traceId, spanId } = span.spanContext();
  const parent = span.parentSpanContext?.spanId;
  return {
    traceId,
    spanId,
    ...omitUndefined({ parentId: parent }),
    part: String(part),
    name: span.name,
    start: milliseconds(span.startTime),
    end: milliseconds(span.endTime),
    attributes: attributes as StoredSpan['attributes'],
    failed: span.status.code === SpanStatusCode.ERROR,
  };
}

function milliseconds([seconds, nanoseconds]: ReadableSpan['startTime']): number {
  return seconds * 1000 + nanoseconds / 1e6;
}
