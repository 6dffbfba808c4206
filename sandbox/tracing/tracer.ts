import { randomBytes } from 'node:crypto';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { StoredSpan } from './stored-span.js';
import type { TraceStore } from './trace-store.js';

/**
 * Makes the spans of the sandbox's own parts. The SDK of OpenTelemetry is not loaded for
 * them, so that the sandbox starts sooner.
 */
export class SandboxTracer {
  /** @param onEnd called with each span that ends, besides the store */
  constructor(
    readonly store: TraceStore,
    private readonly onEnd: (span: StoredSpan) => void = () => undefined,
  ) {}

  /** Starts the span of a request. @param traceparent of the caller, if it sent one */
  start(
    part: string,
    name: string,
    attributes: StoredSpan['attributes'],
    traceparent?: string,
  ): SandboxSpan {
    const [, traceId, parentId] =
      /^00-([0-9a-f]{32})-([0-9a-f]{16})-/.exec(traceparent ?? '') ?? [];
    return new SandboxSpan(
      { part, name, attributes, traceId: traceId ?? newId(16), ...omitUndefined({ parentId }) },
      (span) => {
        this.store.add([span]);
        this.onEnd(span);
      },
    );
  }
}

/** The span of a request on which a part of the sandbox works. */
export class SandboxSpan {
  readonly spanId = newId(8);
  readonly #start = now();

  constructor(
    private readonly fields: Pick<
      StoredSpan,
      'traceId' | 'parentId' | 'part' | 'name' | 'attributes'
    >,
    private readonly onEnd: (span: StoredSpan) => void,
  ) {}

  get traceId(): string {
    return this.fields.traceId;
  }

  /** The value of the header `traceparent` for requests below this span (W3C Trace Context, 3.2). */
  get traceparent(): string {
    return `00-${this.traceId}-${this.spanId}-01`;
  }

  /** Ends it with the status of the answer. */
  end(status: number): void {
    this.onEnd({
      ...this.fields,
      spanId: this.spanId,
      start: this.#start,
      end: now(),
      attributes: { ...this.fields.attributes, 'http.response.status_code': status },
      failed: status >= 500,
    });
  }
}

function newId(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

/** The machine's time in milliseconds since 1970, which the sandbox's clock does not change. */
function now(): number {
  return performance.timeOrigin + performance.now();
}
