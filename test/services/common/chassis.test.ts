import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { unrestrictedCaller } from '../../../services/common/caller.js';
import { Chassis, type ChassisOptions } from '../../../services/common/chassis.js';
import { systemClock } from '../../../services/common/clock.js';
import { createHttpServer, mountService } from '../../../services/common/http-server.js';
import { type ErrorContext, ServiceError } from '../../../services/common/service-error.js';
import type { TokenVerifier } from '../../../services/common/token-verifier.js';

class TestServiceError extends ServiceError {
  toBody({ requestId }: ErrorContext): object {
    return { code: this.code, message: this.message, requestId };
  }
}

/** `Bearer NAME` is the application NAME. */
const tokenVerifier: TokenVerifier = {
  verify: (authorization, audiences) =>
    Promise.resolve(
      authorization === undefined
        ? { refusal: 'missing', reason: `No token for ${audiences.join(' or ')}.` }
        : { caller: { ...unrestrictedCaller, kind: 'application', objectId: authorization } },
    ),
};

const options: ChassisOptions<{ things: string[] }> = {
  name: 'things',
  prefixes: ['/things', '/beta/things'],
  tokenVerifier,
  clock: systemClock,
  audiences: ['https://cloud'],
  errorSchema: {},
  runtime: { things: ['a', 'b'] },
  operations: [
    {
      method: 'GET',
      path: '/',
      summary: 'List',
      handler: ({ runtime }) => ({ status: 200, body: { value: runtime.things } }),
    },
    {
      method: 'POST',
      path: '/:Name/echo',
      summary: 'Echo',
      handler: (call) => ({
        status: 201,
        headers: { location: `${call.origin}${call.path}` },
        body: {
          params: call.params,
          query: Object.fromEntries(call.query),
          text: call.body.toString(),
        },
      }),
    },
    {
      method: 'GET',
      path: '/text',
      summary: 'Text',
      handler: () => ({ status: 200, body: 'plain' }),
    },
    { method: 'DELETE', path: '/', summary: 'Delete', handler: () => ({ status: 204 }) },
    {
      method: 'GET',
      path: '/page',
      summary: 'Page',
      handler: (call) => ({ status: 200, body: call.linkWith({ skip: undefined, next: '2' }) }),
    },
    {
      method: 'GET',
      path: '/broken',
      summary: 'Broken',
      handler() {
        throw new Error('a secret of the inside');
      },
    },
  ],
  headers: ({ requestId, clientRequestId }) => ({
    'x-request-id': requestId,
    'x-client': clientRequestId,
  }),
  toServiceError(refusal) {
    const { kind, status, message, headers } = refusal;
    if (kind === 'unauthenticated')
      return new TestServiceError(status, refusal.tokenRefusal, message, headers);
    return new TestServiceError(
      status,
      {
        throttled: 'slow',
        unknownPath: 'unknown',
        unreadable: 'unreadable',
        failed: 'failed',
        unavailable: 'unavailable',
        notFound: 'missing',
        notServed: 'elsewhere',
      }[kind],
      message,
      headers,
    );
  },
  throttle: ({ caller }) => (caller.objectId === 'Bearer storm' ? 7 : undefined),
  before({ caller }) {
    if (caller.objectId === 'Bearer stranger')
      throw new TestServiceError(403, 'stranger', 'Not you.');
  },
  bodyLimit: 100,
};

describe('a service on the chassis', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = createHttpServer();
    mountService(
      app,
      Object.assign(new Chassis(options), {
        seed: () => Promise.resolve(),
        close: () => Promise.resolve(),
      }),
    );
    await app.ready();
  });
  afterAll(() => app.close());
  const ask = async (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    caller: string | undefined = 'me',
    payload?: string,
  ) => {
    const headers = {
      ...(caller !== '' && { authorization: `Bearer ${caller}` }),
      'client-request-id': 'mine',
    };
    return app.inject({ method, url, headers, ...omitUndefined({ payload }) });
  };

  it('answers JSON, text and empty bodies, under each prefix, with the request ids', async () => {
    const answer = await ask('GET', '/things');
    expect([answer.statusCode, answer.json(), answer.headers['content-type']]).toEqual([
      200,
      { value: ['a', 'b'] },
      'application/json; charset=utf-8',
    ]);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers['x-client']).toBe('mine');
    expect((await ask('GET', '/beta/things')).statusCode).toBe(200);
    const text = await ask('GET', '/things/text');
    expect([text.body, text.headers['content-type']]).toEqual(['plain', 'text/plain']);
    expect((await ask('DELETE', '/things')).statusCode).toBe(204);
  });

  it('passes path, query and body to the operation as sent', async () => {
    const answer = await ask(
      'POST',
      '/things/Some%20Name/echo?a=1&b=%C3%A4',
      'me',
      '{"not": parsed',
    );
    expect([answer.statusCode, answer.headers['location']]).toEqual([
      201,
      'http://localhost:80/things/Some%20Name/echo',
    ]);
    expect(answer.json()).toEqual({
      params: { Name: 'Some Name' },
      query: { a: '1', b: 'ä' },
      text: '{"not": parsed',
    });
  });

  it('links to another page with the options of this one', async () => {
    expect((await ask('GET', '/things/page?skip=3&filter=a%20b')).body).toBe(
      'http://localhost:80/things/page?filter=a%20b&next=2',
    );
  });

  it.each<[string, 'GET' | 'POST', string, string, number, string]>([
    ['no token', 'GET', '/things', '', 401, 'missing'],
    ['no token and no such path', 'GET', '/things/none', '', 401, 'missing'],
    ['an unknown path', 'GET', '/things/none', 'me', 404, 'unknown'],
    ['a caller who sends too much', 'GET', '/things', 'storm', 429, 'slow'],
    [
      'a caller who may not use the service, once the throttle let it pass',
      'GET',
      '/things',
      'stranger',
      403,
      'stranger',
    ],
    ['a body over the limit', 'POST', '/things/x/echo', 'me', 413, 'unreadable'],
    ['a failure of the service', 'GET', '/things/broken', 'me', 500, 'failed'],
  ])(
    "refuses %s in the service's error shape",
    async (_what, method, url, caller, status, code) => {
      const answer = await ask(
        method,
        url,
        caller,
        method === 'POST' ? 'x'.repeat(101) : undefined,
      );
      expect(answer.statusCode).toBe(status);
      expect(answer.json()).toMatchObject({ code, requestId: answer.headers['x-request-id'] });
      expect(answer.body).not.toContain('secret');
      if (status === 429) expect(answer.headers['retry-after']).toBe('7');
      if (status === 401)
        expect(answer.json()).toMatchObject({
          message: 'No token for http://localhost:80 or https://cloud.',
        });
    },
  );
});

test('failures are logged as errors, requests for what is not served are not', async () => {
  const paths: unknown[] = [];
  const write = (line: string): void => void paths.push(JSON.parse(line).path);
  const app = createHttpServer({ logger: pino({ level: 'info' }, { write }) });
  const mail = {
    id: 'mail',
    feature: 'messages of mailboxes',
    alternative: 'Write a letter.',
    pathPattern: /^\/mail$/,
    example: 'GET /mail',
  } as const;
  const chassis = new Chassis({ ...options, notServed: [mail] });
  const noWork = (): Promise<void> => Promise.resolve();
  mountService(app, Object.assign(chassis, { seed: noWork, close: noWork }));
  const statuses = [];
  for (const url of ['/things/mail', '/things/broken'])
    statuses.push((await app.inject({ url, headers: { authorization: 'me' } })).statusCode);
  expect([statuses, paths]).toEqual([[501, 500], ['/things/broken']]);
  await app.close();
});
