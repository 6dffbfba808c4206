import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createHttpClient,
  type HttpClientOptions,
  type HttpRequest,
  ServiceError,
} from '../../../clients/common/index.js';

/** Answers one request. */
type Step = (request: IncomingMessage, response: ServerResponse) => void;

describe('the HTTP client', () => {
  let server: Server;
  /** The answers in order; the last one answers all further requests. */
  let steps: Step[];
  let requests: { method: string; url: string; authorization: string | undefined; body: string }[];
  let waits: number[];
  let origin: string;

  beforeEach(async () => {
    [steps, requests, waits] = [[], [], []];
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        requests.push({
          method: request.method ?? '',
          url: request.url ?? '',
          authorization: request.headers.authorization,
          body,
        });
        const step = steps.length > 1 ? steps.shift() : steps[0];
        step?.(request, response);
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const answer =
    (status: number, body: unknown = {}, headers: Record<string, string> = {}): Step =>
    (_request, response) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(typeof body === 'string' ? body : JSON.stringify(body));
  /** Breaks off in the middle of the body. */
  const breakOff: Step = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"half":');
    setTimeout(() => response.destroy(), 5);
  };
  const client = (options: Partial<HttpClientOptions> = {}): ReturnType<typeof createHttpClient> =>
    createHttpClient({
      baseUrl: origin,
      sleep: (ms) => (waits.push(ms), Promise.resolve()),
      ...options,
    });
  const send = (
    method: HttpRequest['method'],
    options: Partial<HttpClientOptions> = {},
  ): Promise<unknown> =>
    client(options).request({
      method,
      path: '/x',
      ...(method === 'POST' && { body: { a: 1 } }),
    });

  it.each(['GET', 'PUT', 'DELETE', 'POST', 'PATCH'] as const)(
    'waits as Retry-After of a 429 says and sends %s again: the request was refused, not done',
    async (method) => {
      steps = [
        answer(429, {}, { 'retry-after': '7' }),
        answer(429, {}, { 'retry-after': '3' }),
        answer(200),
      ];
      await send(method);
      expect([requests.length, waits]).toEqual([3, [7000, 3000]]);
    },
  );

  it('retries after 429 at most as often as configured', async () => {
    steps = [
      answer(
        429,
        { errorCode: 'TooManyRequests', message: 'slow down', isRetriable: true },
        { 'retry-after': '1' },
      ),
    ];
    await expect(send('GET')).rejects.toMatchObject({
      status: 429,
      serviceCode: 'TooManyRequests',
      isRetriable: true,
      retryAfterMs: 1000,
    });
    expect(requests).toHaveLength(5);
  });

  it('ends the call when Retry-After is longer than allowed', async () => {
    steps = [answer(429, {}, { 'retry-after': '3600' })];
    await expect(send('GET')).rejects.toMatchObject({ retryAfterMs: 3_600_000 });
    expect([requests.length, waits]).toEqual([1, []]);
  });

  it.each([500, 502, 503, 504, 408])(
    'repeats a POST after %d only if the service cannot have acted on it',
    async (status) => {
      for (const [method, requestCount] of [
        ['GET', 2],
        ['PUT', 2],
        ['DELETE', 2],
        ['POST', 1],
        ['PATCH', 1],
      ] as const) {
        [steps, requests] = [[answer(status), answer(200)], []];
        await send(method).catch((error: unknown) => expect(error).toBeInstanceOf(ServiceError));
        expect([method, requests.length]).toEqual([method, requestCount]);
      }
    },
  );

  it('sends a POST again after 503 only when the service asks for it', async () => {
    steps = [answer(503, {}, { 'retry-after': '2' }), answer(200)];
    await send('POST');
    expect([requests.length, waits]).toEqual([2, [2000]]);
  });

  it('sends GET again when the connection breaks in the middle of the body, and a POST never', async () => {
    steps = [breakOff, answer(200, { whole: true })];
    expect(await send('GET')).toMatchObject({ body: { whole: true } });
    [steps, requests] = [[breakOff], []];
    await expect(send('POST')).rejects.toMatchObject({ code: 'CAS5002' });
    expect(requests).toHaveLength(1);
  });

  it('treats 404 as success when the answer to an earlier DELETE was lost', async () => {
    steps = [breakOff, answer(404, { errorCode: 'ItemNotFound', message: 'gone' })];
    expect(await send('DELETE')).toMatchObject({ status: 404 });
    steps = [answer(404, { errorCode: 'ItemNotFound', message: 'gone' })];
    await expect(send('DELETE')).rejects.toMatchObject({
      status: 404,
      serviceCode: 'ItemNotFound',
    });
  });

  it('does not take 404 for success when the earlier DELETE never reached the service', async () => {
    const answers = [
      () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
      () => Promise.resolve(new Response('{}', { status: 404 })),
    ];
    const fetch = (): Promise<Response> => answers.shift()?.() ?? Promise.reject(new Error('more'));
    await expect(send('DELETE', { fetch })).rejects.toMatchObject({ status: 404 });
  });

  it('retries every method when the connection failed', async () => {
    server.close();
    await expect(
      client({ retries: 2 }).request({ method: 'POST', path: '/', body: {} }),
    ).rejects.toMatchObject({
      code: 'CAS5002',
      details: { failure: 'ECONNREFUSED' },
    });
    expect(waits).toHaveLength(2);
  });

  it('gives up on a service that does not answer in time', async () => {
    steps = [() => undefined];
    await expect(send('GET', { timeoutMs: 300, retries: 1 })).rejects.toMatchObject({
      code: 'CAS5003',
    });
    expect(requests).toHaveLength(2);
  });

  it('does not count the time of a token as that of the service', async () => {
    steps = [answer(200)];
    const getToken = async (): Promise<{ token: string }> => {
      await new Promise((done) => setTimeout(done, 400));
      return { token: 't' };
    };
    await send('POST', { timeoutMs: 300, credential: { getToken } });
    expect(requests).toHaveLength(1);
  });

  it('ends at once when it is aborted: while waiting and while asking', async () => {
    steps = [answer(429, {}, { 'retry-after': '60' })];
    const waiting = new AbortController();
    const call = createHttpClient({ baseUrl: origin }).request({
      method: 'GET',
      path: '/',
      signal: waiting.signal,
    });
    setTimeout(() => waiting.abort(new Error('enough')), 30);
    await expect(call).rejects.toThrow('enough');
    steps = [() => undefined];
    const asking = new AbortController();
    setTimeout(() => asking.abort(new Error('enough')), 30);
    await expect(
      client().request({ method: 'GET', path: '/', signal: asking.signal }),
    ).rejects.toThrow('enough');
  });

  it('asks once for a new token after 401', async () => {
    let issued = 0;
    const tokens: (string | undefined)[] = ['first', 'second'];
    const credential = {
      getToken: () => Promise.resolve({ token: tokens[issued] ?? '' }),
      forget: () => void (issued += 1),
    };
    steps = [answer(401), answer(200)];
    await send('GET', { credential });
    expect(requests.map(({ authorization }) => authorization)).toEqual([
      'Bearer first',
      'Bearer second',
    ]);
    [steps, requests] = [[answer(401)], []];
    await expect(send('GET', { credential })).rejects.toMatchObject({ status: 401 });
    expect(requests).toHaveLength(2);
    [steps, requests] = [[answer(401), answer(500), answer(200)], []];
    await send('GET', { credential, retries: 1 }); // the new token does not count as a retry
    expect(requests).toHaveLength(3);
  });

  it('never takes a token to another host', async () => {
    steps = [answer(200)];
    const credential = { getToken: () => Promise.resolve({ token: 'secret' }) };
    await client({ credential }).request({ method: 'GET', url: 'https://evil.example/steal?a=b' });
    expect(requests.map(({ url }) => url)).toEqual(['/steal?a=b']);
    steps = [answer(302, {}, { location: 'https://evil.example/' })];
    await expect(send('GET', { credential })).rejects.toMatchObject({ status: 302 });
  });

  it('escapes query options so that every service reads them alike', async () => {
    steps = [answer(200)];
    await client().request({
      method: 'GET',
      path: 'list',
      query: { $filter: "a eq 'b c&d'", top: 5, none: undefined, flag: true },
    });
    expect(requests[0]?.url).toBe('/list?$filter=a%20eq%20%27b%20c%26d%27&top=5&flag=true');
  });

  it("replaces its own headers by the caller's, however they are spelt", async () => {
    let sentHeaders: Headers | undefined;
    const fetch: HttpClientOptions['fetch'] = (_url, init) => {
      sentHeaders = new Headers(init.headers);
      return Promise.resolve(new Response('{}'));
    };
    const headers = { Accept: 'text/csv', 'USER-AGENT': 'mine' };
    await client({ fetch }).request({ method: 'GET', path: '/', headers });
    expect([sentHeaders?.get('accept'), sentHeaders?.get('user-agent')]).toEqual([
      'text/csv',
      'mine',
    ]);
  });

  it('rejects a 2xx other than the expected one', async () => {
    steps = [answer(200, {})];
    await expect(
      client().request({ method: 'GET', path: '/', expect: [201] }),
    ).rejects.toMatchObject({ status: 200 });
  });
});

describe('error answers', () => {
  const readError = async (
    status: number,
    body: string,
    headers: Record<string, string> = {},
  ): Promise<ServiceError> => {
    const fetch = (): Promise<Response> => Promise.resolve(new Response(body, { status, headers }));
    try {
      await createHttpClient({ baseUrl: 'http://x', fetch, retries: 0 }).request({
        method: 'GET',
        path: '/p?secret=1',
      });
    } catch (error) {
      return error as ServiceError;
    }
    throw new Error('nothing was thrown');
  };

  it('are read in the shape of the items service', async () => {
    const body = {
      errorCode: 'A',
      message: 'm',
      isRetriable: true,
      requestId: 'r',
      moreDetails: [{ errorCode: 'B', message: 'n' }],
    };
    expect(await readError(400, JSON.stringify(body))).toMatchObject({
      status: 400,
      serviceCode: 'A',
      serviceMessage: 'm',
      isRetriable: true,
      requestId: 'r',
      serviceDetails: [{ code: 'B', message: 'n' }],
    });
  });

  it('are read in the shape of directory, billing and resource manager', async () => {
    const body = {
      error: {
        code: 'A',
        message: 'm',
        target: 't',
        details: [{ code: 'B', message: 'n', target: 'u' }],
        innerError: { 'request-id': 'r' },
      },
    };
    expect(await readError(404, JSON.stringify(body))).toMatchObject({
      serviceCode: 'A',
      target: 't',
      requestId: 'r',
      isRetriable: false,
      serviceDetails: [{ code: 'B', message: 'n', target: 'u' }],
    });
  });

  it('are read whatever else they are, and never hold the query', async () => {
    expect(
      await readError(502, '<html>bad gateway</html>', { 'x-ms-request-id': 'r' }),
    ).toMatchObject({
      serviceCode: '',
      requestId: 'r',
      serviceMessage: '<html>bad gateway</html>',
    });
    expect(await readError(500, '')).toMatchObject({ isRetriable: true });
    const error = await readError(400, '{"error":"invalid_client","error_description":"no"}');
    expect(error).toMatchObject({ serviceCode: 'invalid_client', serviceMessage: 'no' });
    expect(error.message).toBe('GET http://x/p: 400 invalid_client: no');
  });
});
