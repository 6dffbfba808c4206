import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { spansEndpoint } from '../../../services/common/telemetry.js';
import { SpanExporter } from '../../../sandbox/tracing/span-exporter.js';
import { parseOtlpRequest } from '../../../sandbox/tracing/stored-span.js';
import { TraceStore } from '../../../sandbox/tracing/trace-store.js';
import { SandboxTracer } from '../../../sandbox/tracing/tracer.js';

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
    expect(parseOtlpRequest(otlp('0af7651916cd43dd8448eb211c80319c'))).toEqual([
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
    expect(
      parseOtlpRequest({ resourceSpans: [null, { scopeSpans: [{ spans: [{}, 5] }] }] }),
    ).toEqual([]);
    expect(parseOtlpRequest('no')).toEqual([]);
  });

  it('of the sandbox continue the caller’s trace, and are found by the id of a request', async () => {
    const store = new TraceStore();
    const tracer = new SandboxTracer(store);
    const span = tracer.start('ingress', 'GET /', {});
    const [, traceId = ''] = span.traceparent.split('-');
    const inner = tracer.start('app', 'GET /', {}, span.traceparent);
    inner.end(200);
    span.end(200);
    store.add(parseOtlpRequest(otlp(traceId)));
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
  });

  it('say what a sign-in layer knew of a request, also when they come after its answer', async () => {
    const store = new TraceStore();
    const status = 'http.response.status_code';
    const pendingStatus = store.waitForAttribute('r1', status, 5_000);
    store.add(parseOtlpRequest(otlp('0af7651916cd43dd8448eb211c80319c')));
    expect(await pendingStatus).toBe('403');
    expect(await store.waitForAttribute('r1', status, 0)).toBe('403');
    expect(await store.waitForAttribute('r1', 'castellan.person_id', 0)).toBeUndefined();
    expect(await store.waitForAttribute('r2', status, 5)).toBeUndefined();
  });

  it('of one sign-in are shown together: they have its state or its page in common', async () => {
    const store = new TraceStore();
    const tracer = new SandboxTracer(store);
    const request = (part: string, url: string, location?: string): string => {
      const span = tracer.start(part, url, {});
      const { traceId } = span;
      store.linkToSignIn(traceId, [url, location]);
      span.end(302);
      return traceId;
    };
    request('ingress', '/.auth/login/directory', 'https://idp/authorize?client_id=a&state=S1');
    request('provider', '/t/oauth2/v2.0/authorize?state=S1', '/t/sign-in/page-1');
    request('provider', '/t/sign-in/page-1');
    request('ingress', '/other', '/.auth/login/directory?state=S2');
    const lastTraceId = request('ingress', '/callback?code=c&state=S1');
    expect(store.find(lastTraceId)?.spans.map(({ name }) => name.split('?')[0])).toEqual([
      '/.auth/login/directory',
      '/t/oauth2/v2.0/authorize',
      '/t/sign-in/page-1',
      '/callback',
    ]);
  });

  it('of one sign-in are shown together, too, where its state follows a second question mark', () => {
    const store = new TraceStore();
    const tracer = new SandboxTracer(store);
    const traceIds = ['/.auth/login?state=S1', '/callback?code=c?d&state=S1'].map((url) => {
      const span = tracer.start('ingress', url, {});
      store.linkToSignIn(span.traceId, [url]);
      span.end(302);
      return span.traceId;
    });
    expect(store.find(traceIds[1] ?? '')?.spans).toHaveLength(2);
  });

  it('of the sandbox, and those of sign-in layers, are sent to the endpoint of the environment', async () => {
    const received: { body: unknown; key: unknown; authorization: unknown }[] = [];
    const collector = createServer((request, response) => {
      void json(request).then((body) => {
        const { 'x-key': key, authorization } = request.headers;
        received.push({ body, key, authorization });
        response.end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const { port } = collector.address() as AddressInfo;
    const errors: unknown[] = [];
    const exporter = SpanExporter.from(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b, broken=%, empty=,',
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'Authorization=Basic dXNlcjpwdw==',
      },
      (error) => errors.push(error),
    );
    const store = new TraceStore();
    const tracer = new SandboxTracer(store, (span) => exporter?.add(span));
    tracer.start('ingress', 'GET /', { 'url.path': '/' }).end(200);
    tracer.start('directory', 'GET /v1.0/groups', {}).end(500);
    await exporter?.flush();
    await exporter?.send(otlp('0af7651916cd43dd8448eb211c80319c'));
    await exporter?.flush();
    collector.close();
    expect(errors).toEqual([]);
    expect(received.map(({ key }) => key)).toEqual(['a b', 'a b']);
    expect(received[0]?.authorization).toBe('Basic dXNlcjpwdw==');
    expect(received[1]?.body).toEqual(otlp('0af7651916cd43dd8448eb211c80319c'));
    const ownSpans = store.list().map(({ id }) => store.find(id)?.spans[0]);
    expect(parseOtlpRequest(received[0]?.body)).toMatchObject(
      ownSpans.toReversed().map((span) => ({
        traceId: span?.traceId,
        spanId: span?.spanId,
        part: 'castellan-sandbox',
        name: span?.name,
        start: expect.closeTo(span?.start ?? 0, 1) as number,
        failed: span?.failed,
        attributes: { ...span?.attributes, 'castellan.part': span?.part },
      })),
    );
    await SpanExporter.from({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, (error) =>
      errors.push(error),
    )?.send({});
    expect(errors).toHaveLength(1);
    expect(SpanExporter.from({}, () => undefined)).toBeUndefined();
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
