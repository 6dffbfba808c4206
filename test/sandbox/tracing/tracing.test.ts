import { describe, expect, it } from 'vitest';
import { spansEndpoint } from '../../../services/common/telemetry.js';
import { spansOfOtlp } from '../../../sandbox/tracing/stored-span.js';
import { TraceStore } from '../../../sandbox/tracing/trace-store.js';
import { endSpan, SandboxTracer, traceparentOf } from '../../../sandbox/tracing/tracer.js';

const otlp = (traceId: string) => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'web sign-in' } }] },
      scopeSpans: [
        {
          spans: [
            {
              traceId,
              spanId: 'b7ad6b7169203331',
              parentSpanId: '00f067aa0ba902b7',
              name: 'GET',
              startTimeUnixNano: '1795702829924500000',
              endTimeUnixNano: '1795702829926000000',
              attributes: [
                { key: 'castellan.request_id', value: { stringValue: 'r1' } },
                { key: 'http.response.status_code', value: { intValue: '403' } },
              ],
              status: { code: 2 },
            },
          ],
        },
      ],
    },
  ],
});

describe('spans', () => {
  it('are read from OTLP in JSON; what is no span is left out', () => {
    expect(spansOfOtlp(otlp('0af7651916cd43dd8448eb211c80319c'))).toEqual([
      {
        traceId: '0af7651916cd43dd8448eb211c80319c',
        spanId: 'b7ad6b7169203331',
        parentId: '00f067aa0ba902b7',
        part: 'web sign-in',
        name: 'GET',
        start: 1795702829924.5,
        end: 1795702829926,
        attributes: { 'castellan.request_id': 'r1', 'http.response.status_code': 403 },
        failed: true,
      },
    ]);
    expect(spansOfOtlp({ resourceSpans: [null, { scopeSpans: [{ spans: [{}, 5] }] }] })).toEqual(
      [],
    );
    expect(spansOfOtlp('no')).toEqual([]);
  });

  it('of the sandbox continue the caller’s trace, and are found by the number of a request', async () => {
    const store = new TraceStore();
    const tracer = await SandboxTracer.open(store, {});
    const span = tracer.start('ingress', 'GET /', {});
    const [, traceId = ''] = traceparentOf(span).split('-');
    const inner = tracer.start('app', 'GET /', { traceparent: traceparentOf(span) });
    endSpan(inner, 200);
    endSpan(span, 200);
    store.add(spansOfOtlp(otlp(traceId)));
    expect(
      store
        .find('r1')
        ?.spans.map(({ part }) => part)
        .toSorted(),
    ).toEqual(['app', 'ingress', 'web sign-in']);
    expect(store.list()).toMatchObject([
      { id: traceId, part: 'ingress', status: 200, requestId: 'r1' },
    ]);
    expect(store.find('nothing')).toBeUndefined();
    await tracer.close();
  });

  it('say what a sign-in layer knew of a request, also when they come after its answer', async () => {
    const store = new TraceStore();
    const status = 'http.response.status_code';
    const asked = store.waitForAttribute('r1', status, 5_000);
    store.add(spansOfOtlp(otlp('0af7651916cd43dd8448eb211c80319c')));
    expect(await asked).toBe('403');
    expect(await store.waitForAttribute('r1', status, 0)).toBe('403');
    expect(await store.waitForAttribute('r1', 'castellan.person_id', 0)).toBeUndefined();
    expect(await store.waitForAttribute('r2', status, 5)).toBeUndefined();
  });

  it('of one sign-in are shown together: they have its state or its page in common', async () => {
    const store = new TraceStore();
    const tracer = await SandboxTracer.open(store, {});
    const request = (part: string, url: string, location?: string): string => {
      const span = tracer.start(part, url, {});
      const { traceId } = span.spanContext();
      store.link(traceId, [url, location]);
      endSpan(span, 302);
      return traceId;
    };
    request('ingress', '/.auth/login/directory', 'https://idp/authorize?client_id=a&state=S1');
    request('provider', '/t/oauth2/v2.0/authorize?state=S1', '/t/sign-in/page-1');
    request('provider', '/t/sign-in/page-1');
    request('ingress', '/other', '/.auth/login/directory?state=S2');
    const last = request('ingress', '/callback?code=c&state=S1');
    expect(store.find(last)?.spans.map(({ name }) => name.split('?')[0])).toEqual([
      '/.auth/login/directory',
      '/t/oauth2/v2.0/authorize',
      '/t/sign-in/page-1',
      '/callback',
    ]);
    await tracer.close();
  });

  it.each([
    [{}, undefined],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318/' }, 'http://c:4318/v1/traces'],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://t' },
      'http://t',
    ],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c', OTEL_SDK_DISABLED: 'true' }, undefined],
  ])('go with %j to %s', (env, expected) => {
    expect(spansEndpoint(env)).toBe(expected);
  });
});
