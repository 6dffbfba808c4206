import { isObject } from '../../core/values/is-object.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

/** A span, as the console shows it: a piece of work on a request. */
export interface StoredSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string;
  /** The part of the sandbox that did it: `ingress`, `storefront sign-in`, `identity provider`. */
  readonly part: string;
  /** What was done: `GET /admin`, `app GET`. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  /** Milliseconds since 1970. */
  readonly end: number;
  /** By OpenTelemetry's names, such as `url.path`, and own ones: `castellan.person_id`. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Whether its status is that of an error. */
  readonly failed: boolean;
}

interface OtlpAttribute {
  readonly key: string;
  /** By the name of its type: `{ stringValue: 'GET' }`. */
  readonly value?: Readonly<Record<string, unknown>>;
}

/** A span as a client sent it, unchecked. */
interface OtlpSpan {
  readonly traceId?: unknown;
  readonly spanId?: unknown;
  readonly parentSpanId?: unknown;
  readonly name?: unknown;
  readonly startTimeUnixNano?: unknown;
  readonly endTimeUnixNano?: unknown;
  readonly attributes?: readonly OtlpAttribute[];
  readonly status?: { readonly code?: unknown };
}

/**
 * The spans of an ExportTraceServiceRequest in JSON (OTLP/HTTP, `/v1/traces`). Anything else in it
 * is ignored.
 */
export function parseOtlpRequest(body: unknown): readonly StoredSpan[] {
  return objectsIn(body, 'resourceSpans').flatMap((resource) => {
    const attributes = parseAttributes(isObject(resource) ? resource['resource'] : undefined);
    const part = String(attributes['service.name'] ?? 'unknown');
    return objectsIn(resource, 'scopeSpans').flatMap((scope) =>
      objectsIn(scope, 'spans').flatMap((span) => parseSpan(span as OtlpSpan, part)),
    );
  });
}

/**
 * Spans as an ExportTraceServiceRequest in JSON (OTLP/HTTP).
 *
 * @param service the `service.name` of the process whose spans they are
 */
export function toOtlpRequest(service: string, spans: readonly StoredSpan[]): object {
  const otlpSpans = spans.map(({ traceId, spanId, parentId, part, name, start, end, ...span }) => ({
    traceId,
    spanId,
    ...omitUndefined({ parentSpanId: parentId }),
    name,
    kind: kindServer,
    startTimeUnixNano: nanosecondsOf(start),
    endTimeUnixNano: nanosecondsOf(end),
    attributes: toOtlpAttributes({ 'castellan.part': part, ...span.attributes }),
    status: span.failed ? { code: statusError } : {},
  }));
  return {
    resourceSpans: [
      {
        resource: { attributes: toOtlpAttributes({ 'service.name': service }) },
        scopeSpans: [{ scope: { name: 'castellan.sandbox' }, spans: otlpSpans }],
      },
    ],
  };
}

/** SPAN_KIND_SERVER of OTLP. */
const kindServer = 2;
/** STATUS_CODE_ERROR of OTLP. */
const statusError = 2;

function toOtlpAttributes(attributes: StoredSpan['attributes']): readonly OtlpAttribute[] {
  return Object.entries(attributes).map(([key, value]) => {
    if (typeof value === 'string') return { key, value: { stringValue: value } };
    if (typeof value === 'boolean') return { key, value: { boolValue: value } };
    return {
      key,
      value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value },
    };
  });
}

function nanosecondsOf(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds * 1000)) * 1000n);
}

function parseSpan(
  { traceId, spanId, parentSpanId, name, startTimeUnixNano, endTimeUnixNano, ...span }: OtlpSpan,
  part: string,
): StoredSpan[] {
  if (typeof traceId !== 'string' || typeof spanId !== 'string') return [];
  return [
    {
      traceId,
      spanId,
      ...omitUndefined({ parentId: nonEmptyText(parentSpanId) }),
      part,
      name: String(name),
      start: millisecondsOf(startTimeUnixNano),
      end: millisecondsOf(endTimeUnixNano),
      attributes: parseAttributes(span),
      failed: span.status?.code === statusError || span.status?.code === 'STATUS_CODE_ERROR',
    },
  ];
}

/** A text that is not empty; undefined for any other value. */
export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The objects in a list that is a member of an object; empty for anything else. */
function objectsIn(value: unknown, name: string): readonly unknown[] {
  const list = isObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list.filter((each) => isObject(each)) : [];
}

function parseAttributes(value: unknown): Record<string, string | number | boolean> {
  return Object.fromEntries(
    (objectsIn(value, 'attributes') as readonly OtlpAttribute[]).flatMap(
      ({ key, value: otlpValue }) => {
        const [firstEntry] = Object.entries(otlpValue ?? {});
        if (firstEntry === undefined) return [];
        const [type, content] = firstEntry;
        if (type === 'intValue') return [[key, Number(content)] as const];
        return ['string', 'number', 'boolean'].includes(typeof content)
          ? [[key, content as string | number | boolean] as const]
          : [];
      },
    ),
  );
}

function millisecondsOf(nanoseconds: unknown): number {
  const text = typeof nanoseconds === 'string' ? nanoseconds : String(nanoseconds);
  return /^\d+$/.test(text) ? Number(BigInt(text) / 1000n) / 1000 : 0;
}
