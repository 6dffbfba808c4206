import {
  context,
  type Context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { filterHeaders } from '../http/raw-headers.js';

/** The name under which the sidecar's spans are made. */
export const tracerName = 'castellan.auth-sidecar';

/** Handles a request. */
export type RequestListener = (inbound: IncomingMessage, outbound: ServerResponse) => void;

const methods = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
]);

/**
 * Puts a server span around every request, with the calls to providers inside, and sends its
 * context to the app. Without an OpenTelemetry SDK in this process, which is checked once, the
 * listener is returned unchanged, so that tracing costs nothing.
 *
 * @param isTrusted whether a peer's `traceparent` is trusted; otherwise a new trace starts.
 */
export function withSpan(
  listener: RequestListener,
  isTrusted: (inbound: IncomingMessage) => boolean,
): RequestListener {
  if (!hasSdk()) return listener;
  const tracer = trace.getTracer(tracerName);
  return (inbound, outbound) => {
    const method = inbound.method ?? '';
    const name = methods.has(method) ? method : 'HTTP';
    const parent = isTrusted(inbound)
      ? propagation.extract(ROOT_CONTEXT, inbound.headers)
      : ROOT_CONTEXT;
    const attributes = {
      'http.request.method': methods.has(method) ? method : '_OTHER',
      'url.path': (inbound.url ?? '').split(/[?#]/, 1)[0] ?? '',
      'url.scheme': 'encrypted' in inbound.socket ? 'https' : 'http',
      'network.protocol.version': inbound.httpVersion,
    };
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
    outbound.once('close', () => {
      span.setAttribute('http.response.status_code', outbound.statusCode);
      if (outbound.statusCode >= 500 || !outbound.writableFinished)
        span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    const contextWithSpan = trace.setSpan(parent, span);
    replaceTraceHeaders(inbound, contextWithSpan);
    context.with(contextWithSpan, listener, undefined, inbound, outbound);
  };
}

/** Adds attributes about a decision to the span of the current request, if there is one. */
export function setSpanAttributes(attributes: Readonly<Record<string, string | undefined>>): void {
  const span = trace.getSpan(context.active());
  if (span === undefined) return;
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) span.setAttribute(`castellan.${name}`, value);
}

/** A span around the app's answer, inside that of the request; undefined without an SDK. */
export function startAppSpan(method: string): Span | undefined {
  if (trace.getSpan(context.active()) === undefined) return undefined;
  return trace.getTracer(tracerName).startSpan(`app ${method}`, { kind: SpanKind.CLIENT });
}

function hasSdk(): boolean {
  const provider = trace.getTracerProvider() as { getDelegateTracer?: (name: string) => unknown };
  return (
    provider.getDelegateTracer === undefined || provider.getDelegateTracer(tracerName) !== undefined
  );
}

/** Replaces the client's trace headers by those of the span, before anything reads the headers. */
function replaceTraceHeaders(inbound: IncomingMessage, contextWithSpan: Context): void {
  const ownHeaders: Record<string, string> = {};
  propagation.inject(contextWithSpan, ownHeaders);
  const traceFields = new Set(propagation.fields().map((field) => field.toLowerCase()));
  const otherHeaders = filterHeaders(
    inbound.rawHeaders,
    (name) => !traceFields.has(name.toLowerCase()),
  );
  // Requests of HTTP/2 have a getter only, so that an assignment would fail.
  Object.defineProperty(inbound, 'rawHeaders', {
    value: [...otherHeaders, ...Object.entries(ownHeaders).flat()],
  });
}
