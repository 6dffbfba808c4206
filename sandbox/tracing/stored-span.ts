import { isObject } from '../../core/values/is-object.js';

/** A piece of work on a request, as the console shows it. */
export interface StoredSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string;
  /** Who did it: `ingress`, `storefront sign-in`, `identity provider`. */
  readonly part: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly failed: boolean;
}

interface OtlpAttribute {
  readonly key: string;
  readonly value?: Readonly<Record<string, unknown>>;
}

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
 * The spans of a request to `/v1/traces` in JSON (OTLP/HTTP, ExportTraceServiceRequest). What is no
 * span is left out.
 */
export function spansOfOtlp(body: unknown): readonly StoredSpan[] {
  return listOf(body, 'resourceSpans').flatMap((resource) => {
    const attributes = attributesOf(isObject(resource) ? resource['resource'] : undefined);
    const part = String(attributes['service.name'] ?? 'unknown');
    return listOf(resource, 'scopeSpans').flatMap((scope) =>
      listOf(scope, 'spans').flatMap((span) => spanOf(span as OtlpSpan, part)),
    );
  });
}

function spanOf(
  { traceId, spanId, parentSpanId, name, startTimeUnixNano, endTimeUnixNano, ...span }: OtlpSpan,
  part: string,
): StoredSpan[] {
  if (typeof traceId !== 'string' || typeof spanId !== 'string') return [];
  return [
    {
      traceId,
      spanId,
      ...(typeof parentSpanId === 'string' && parentSpanId !== ''
        ? { parentId: parentSpanId }
        : {}),
      part,
      name: String(name),
      start: millisecondsOf(startTimeUnixNano),
      end: millisecondsOf(endTimeUnixNano),
      attributes: attributesOf(span),
      failed: span.status?.code === 2 || span.status?.code === 'STATUS_CODE_ERROR',
    },
  ];
}

function listOf(value: unknown, name: string): readonly unknown[] {
  const list = isObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list.filter((each) => isObject(each)) : [];
}

function attributesOf(value: unknown): Record<string, string | number | boolean> {
  return Object.fromEntries(
    (listOf(value, 'attributes') as readonly OtlpAttribute[]).flatMap(({ key, value: given }) => {
      const [known] = Object.entries(given ?? {});
      if (known === undefined) return [];
      const [type, content] = known;
      if (type === 'intValue') return [[key, Number(content)] as const];
      return ['string', 'number', 'boolean'].includes(typeof content)
        ? [[key, content as string | number | boolean] as const]
        : [];
    }),
  );
}

function millisecondsOf(nanoseconds: unknown): number {
  const text = typeof nanoseconds === 'string' ? nanoseconds : String(nanoseconds);
  return /^\d+$/.test(text) ? Number(BigInt(text) / 1000n) / 1000 : 0;
}
