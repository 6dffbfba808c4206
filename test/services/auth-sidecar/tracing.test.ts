import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  context,
  type Context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  type SpanOptions,
  type SpanStatus,
  SpanStatusCode,
  type TextMapGetter,
  type TextMapSetter,
  trace,
} from '@opentelemetry/api';
import {
  cookie,
  directoryConfig,
  type SidecarUnderTest,
  signIn,
  startUnderTest,
} from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { request } from './support/raw-client.js';
import { type RecordingApp, startRecordingApp } from './support/recording-app.js';

interface RecordedSpan {
  readonly name: string;
  readonly kind: SpanKind | undefined;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Attributes;
  status: SpanStatus | undefined;
  hasEnded: boolean;
}

/**
 * The spans of a minimal SDK, whose context follows promises and is propagated as `traceparent`.
 */
const spans: RecordedSpan[] = [];
let count = 0;

function startSpan(
  name: string,
  options: SpanOptions = {},
  parentContext: Context = context.active(),
): Span {
  const parent = trace.getSpanContext(parentContext);
  const number = ++count;
  const spanContext: SpanContext = {
    traceId: parent?.traceId ?? number.toString(16).padStart(32, '0'),
    spanId: number.toString(16).padStart(16, '0'),
    traceFlags: 1,
  };
  const attributes: Attributes = { ...options.attributes };
  const { traceId, spanId } = spanContext;
  const recorded: RecordedSpan = {
    name,
    kind: options.kind,
    traceId,
    spanId,
    parentSpanId: parent?.spanId,
    attributes,
    status: undefined,
    hasEnded: false,
  };
  spans.push(recorded);
  const span: Span = {
    spanContext: () => spanContext,
    setAttribute: (key, value) => ((attributes[key] = value), span),
    setAttributes: () => span,
    addEvent: () => span,
    addLink: () => span,
    addLinks: () => span,
    setStatus: (status) => ((recorded.status = status), span),
    updateName: () => span,
    end: () => void (recorded.hasEnded = true),
    isRecording: () => true,
    recordException: () => undefined,
  };
  return span;
}

const idp = new TestIdentityProvider();
let app: RecordingApp;
let sidecar: SidecarUnderTest;
beforeAll(async () => {
  const active = new AsyncLocalStorage<Context>();
  context.setGlobalContextManager({
    active: () => active.getStore() ?? ROOT_CONTEXT,
    with: (current, action, self, ...args) =>
      active.run(current, () => action.call(self as ThisParameterType<typeof action>, ...args)),
    bind: (_, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
  propagation.setGlobalPropagator({
    fields: () => ['traceparent'],
    inject: (current: Context, carrier: unknown, setter: TextMapSetter) => {
      const { traceId, spanId } = trace.getSpanContext(current) as SpanContext;
      setter.set(carrier, 'traceparent', `00-${traceId}-${spanId}-01`);
    },
    extract: (current: Context, carrier: unknown, getter: TextMapGetter) => {
      const [, traceId, spanId] = String(getter.get(carrier, 'traceparent')).split('-');
      return traceId && spanId
        ? trace.setSpanContext(current, { traceId, spanId, traceFlags: 1 })
        : current;
    },
  });
  trace.setGlobalTracerProvider({
    getTracer: () => ({ startSpan, startActiveSpan: () => undefined as never }),
  });
  await idp.start();
  app = await startRecordingApp();
  sidecar = await startUnderTest({ config: directoryConfig(idp), upstream: app.url });
});
afterAll(async () => {
  await sidecar.stop();
  await app.close();
  await idp.close();
  trace.disable();
  context.disable();
  propagation.disable();
});
beforeEach(() => {
  spans.length = 0;
  app.clear();
});

const foreignTraceparent = '00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-bbbbbbbbbbbbbbbb-01';

test('each request is a server span that ends with its answer, and contains no query', async () => {
  await request(sidecar.url, {
    path: '/deep/link?token=secret',
    headers: { Accept: 'application/json' },
  });
  expect(spans).toEqual([
    expect.objectContaining({
      name: 'GET',
      kind: SpanKind.SERVER,
      attributes: {
        'castellan.request_id': expect.any(String),
        'http.request.method': 'GET',
        'url.path': '/deep/link',
        'url.scheme': 'http',
        'network.protocol.version': '1.1',
        'http.response.status_code': 401,
      },
      hasEnded: true,
      status: undefined,
    }),
  ]);
});

test('calls to a provider are client spans within the span of the request', async () => {
  await signIn(sidecar, idp);
  const callback = spans.find(({ attributes }) =>
    String(attributes['url.path']).endsWith('/callback'),
  );
  const calls = spans.filter(({ kind }) => kind === SpanKind.CLIENT);
  expect(calls.map(({ attributes }) => attributes['url.path'])).toContain('/token');
  const token = calls.find(({ attributes }) => attributes['url.path'] === '/token');
  expect(token).toMatchObject({
    parentSpanId: callback?.spanId,
    traceId: callback?.traceId,
    hasEnded: true,
  });
  expect(token?.attributes).toMatchObject({
    'server.address': '127.0.0.1',
    'http.response.status_code': 200,
  });
  expect(JSON.stringify(spans)).not.toContain(idp.secret);
});

test("the app gets the span's context, never a stranger's", async () => {
  const { jar } = await signIn(sidecar, idp);
  spans.length = 0;
  await request(sidecar.url, {
    path: '/x',
    headers: { ...cookie(jar), traceparent: foreignTraceparent },
  });
  expect(spans[0]?.parentSpanId).toBeUndefined();
  expect(app.requests.at(-1)?.headers['traceparent']).toBe(
    `00-${spans[0]?.traceId}-${spans[0]?.spanId}-01`,
  );
});

test("a trusted proxy's trace is continued", async () => {
  const sidecarBehindProxy = await startUnderTest({
    config: directoryConfig(idp),
    upstream: app.url,
    options: { trustedProxies: ['127.0.0.1/32'] },
  });
  await request(sidecarBehindProxy.url, { headers: { traceparent: foreignTraceparent } });
  expect(spans[0]).toMatchObject({ traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16) });
  await sidecarBehindProxy.stop();
});

test('an answer of 500 or more is an error', async () => {
  const sidecarWithoutApp = await startUnderTest({
    config: directoryConfig(idp, {
      globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
    }),
    upstream: 'http://127.0.0.1:9',
  });
  await request(sidecarWithoutApp.url);
  expect(spans[0]).toMatchObject({
    attributes: { 'http.response.status_code': 502 },
    status: { code: SpanStatusCode.ERROR },
  });
  await sidecarWithoutApp.stop();
});

test('without an SDK there is no span, and traceparent is passed unchanged', async () => {
  trace.disable();
  const plain = await startUnderTest({
    config: directoryConfig(idp, {
      globalValidation: { unauthenticatedClientAction: 'AllowAnonymous' },
    }),
    upstream: app.url,
  });
  await request(plain.url, { headers: { traceparent: foreignTraceparent } });
  expect(spans).toEqual([]);
  expect(app.requests.at(-1)?.headers['traceparent']).toBe(foreignTraceparent);
  await plain.stop();
});
