import { omitUndefined } from '../../../core/values/omit-undefined.js';
import {
  createHttpClient,
  entriesOf,
  type HttpClient,
  waitForOutcome,
  pagesOf,
} from '../../../clients/common/index.js';

type Answer = readonly [status: number, body: unknown, headers?: Record<string, string>];

/**
 * A client whose service answers from a script; the last answer of an address is given for good.
 */
function scriptedService(script: Record<string, readonly Answer[]>): {
  http: HttpClient;
  requestedPaths: string[];
  waits: number[];
} {
  const [requestedPaths, waits]: [string[], number[]] = [[], []];
  const remainingAnswers = new Map(
    Object.entries(script).map(([path, answers]) => [path, [...answers]]),
  );
  const http = createHttpClient({
    baseUrl: 'http://service',
    retries: 0,
    sleep: (ms, signal) => (signal?.throwIfAborted(), waits.push(ms), Promise.resolve()),
    fetch: (url) => {
      const path = url.replace('http://service', '');
      requestedPaths.push(path);
      const answers = remainingAnswers.get(path) ?? [];
      const [status, body, headers] = (answers.length > 1 ? answers.shift() : answers[0]) ?? [
        404,
        { errorCode: 'NotFound', message: path },
      ];
      return Promise.resolve(
        new Response(body === undefined ? null : JSON.stringify(body), {
          status,
          ...omitUndefined({ headers }),
        }),
      );
    },
  });
  return { http, requestedPaths, waits };
}

const accept = (
  http: HttpClient,
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' = 'POST',
): ReturnType<HttpClient['request']> => http.request({ method, path: '/start' });

describe('the outcome of an accepted request', () => {
  it('is the answer itself when it was not only accepted', async () => {
    const { http, requestedPaths } = scriptedService({
      '/start': [[201, { id: 1 }, { location: 'http://service/elsewhere' }]],
    });
    expect(await waitForOutcome(http, await accept(http))).toEqual({ id: 1 });
    expect(requestedPaths).toEqual(['/start']);
  });

  it("is found by Location, at the pace of Retry-After, on the client's own host", async () => {
    const { http, requestedPaths, waits } = scriptedService({
      '/start': [
        [202, undefined, { location: 'https://other/v1/operations/1', 'retry-after': '5' }],
      ],
      '/v1/operations/1': [
        [200, { status: 'Running' }, { 'retry-after': '2' }],
        [200, { status: 'Succeeded' }, { location: 'https://other/v1/operations/1/result' }],
      ],
      '/v1/operations/1/result': [[200, { id: 7 }]],
    });
    expect(await waitForOutcome(http, await accept(http))).toEqual({ id: 7 });
    expect(requestedPaths).toEqual([
      '/start',
      '/v1/operations/1',
      '/v1/operations/1',
      '/v1/operations/1/result',
    ]);
    expect(waits).toEqual([5000, 2000]);
  });

  it('is found by the operation id alone', async () => {
    const { http } = scriptedService({
      '/start': [[202, undefined, { 'x-svc-operation-id': '1' }]],
      '/v1/operations/1': [[200, { status: 'Succeeded' }]],
    });
    expect(await waitForOutcome(http, await accept(http))).toBeUndefined();
  });

  it('is waited for with growing pauses where the service names none', async () => {
    const { http, waits } = scriptedService({
      '/start': [[202, undefined, { location: '/v1/operations/1' }]],
      '/v1/operations/1': [
        ...Array.from({ length: 12 }, (): Answer => [200, { status: 'Running' }]),
        [200, { status: 'Succeeded' }],
      ],
    });
    await waitForOutcome(http, await accept(http));
    expect(waits[0]).toBe(1000);
    expect(waits.every((wait, index) => wait >= (waits[index - 1] ?? 0) && wait <= 30_000)).toBe(
      true,
    );
  });

  it('is found at addresses that answer 202 until they have the result', async () => {
    const { http } = scriptedService({
      '/start': [[202, undefined, { location: '/r' }]],
      '/r': [
        [202, undefined],
        [200, { name: 'x' }],
      ],
    });
    expect(await waitForOutcome(http, await accept(http))).toEqual({ name: 'x' });
  });

  it.each([
    ['POST', 'at the first Location', { id: 7 }, ['/r']],
    ['PUT', 'the resource itself', { name: 'x' }, ['/start']],
    ['PATCH', 'the resource itself', { name: 'x' }, ['/start']],
    ['DELETE', 'none', undefined, []],
  ] as const)(
    'is after a %s with Azure-AsyncOperation and Location %s',
    async (method, _place, expected, expectedPaths) => {
      const headers = { 'azure-asyncoperation': '/o', location: '/r' };
      const { http, requestedPaths } = scriptedService({
        '/start': [
          [202, { name: 'accepted' }, headers],
          [200, { name: 'x' }],
        ],
        '/o': [
          [200, { status: 'InProgress' }],
          [200, { status: 'Succeeded' }],
        ],
        '/r': [[200, { id: 7 }]],
      });
      expect(await waitForOutcome(http, await accept(http, method))).toEqual(expected);
      expect(requestedPaths).toEqual(['/start', '/o', '/o', ...expectedPaths]);
    },
  );

  it('is none after a POST with Azure-AsyncOperation alone', async () => {
    const { http } = scriptedService({
      '/start': [[200, { name: 'accepted' }, { 'azure-asyncoperation': '/o' }]],
      '/o': [[200, { status: 'Succeeded' }]],
    });
    expect(await waitForOutcome(http, await accept(http))).toBeUndefined();
  });

  it('is in the properties of the operation after a POST without a Location', async () => {
    const { http } = scriptedService({
      '/start': [[202, undefined, { 'azure-asyncoperation': '/o' }]],
      '/o': [
        [200, { status: 'InProgress' }],
        [200, { status: 'Succeeded', properties: { token: 't' } }],
      ],
    });
    expect(await waitForOutcome(http, await accept(http))).toEqual({ token: 't' });
  });

  it.each(['Active', 'Enabled'])(
    'is found at a Location although it has a status of its own, %s',
    async (status) => {
      const { http, requestedPaths } = scriptedService({
        '/start': [[202, undefined, { location: '/r' }]],
        '/r': [
          [202, { status: 'Validating' }],
          [200, { id: 7, status }],
        ],
      });
      const seen: string[] = [];
      const onProgress = (state: { readonly status: string }): number => seen.push(state.status);
      expect(await waitForOutcome(http, await accept(http), { onProgress })).toEqual({
        id: 7,
        status,
      });
      expect([requestedPaths, seen]).toEqual([['/start', '/r', '/r'], ['Validating']]);
    },
  );

  it("is an error with the service's reason", async () => {
    const error = {
      errorCode: 'UnknownError',
      message: 'it broke',
      requestId: 'r',
      isRetriable: false,
    };
    const { http } = scriptedService({
      '/start': [[202, undefined, { location: '/o' }]],
      '/o': [[200, { status: 'Failed', error }]],
    });
    await expect(waitForOutcome(http, await accept(http))).rejects.toMatchObject({
      serviceCode: 'UnknownError',
      serviceMessage: 'it broke',
      requestId: 'r',
    });
    const withoutReason = scriptedService({
      '/start': [[202, undefined, { location: '/o' }]],
      '/o': [[200, { status: 'Undefined' }]],
    });
    await expect(
      waitForOutcome(withoutReason.http, await accept(withoutReason.http)),
    ).rejects.toMatchObject({
      serviceCode: 'OperationFailed',
    });
  });

  it('ends with an error when it takes too long', async () => {
    const { http, waits } = scriptedService({
      '/start': [[202, undefined, { location: '/o', 'retry-after': '20' }]],
      '/o': [[200, { status: 'Running' }, { 'retry-after': '20' }]],
    });
    await expect(
      waitForOutcome(http, await accept(http), { timeoutMs: 100_000 }),
    ).rejects.toMatchObject({ code: 'CAS5003' });
    expect(waits).toHaveLength(5);
  });

  it('ends with an error where the service asks to poll at once for ever', async () => {
    const { http, waits } = scriptedService({
      '/start': [[202, undefined, { location: '/o', 'retry-after': '0' }]],
      '/o': [
        ...Array.from({ length: 200 }, (): Answer => [
          200,
          { status: 'Running' },
          { 'retry-after': '0' },
        ]),
        [200, { status: 'Succeeded' }],
      ],
    });
    await expect(
      waitForOutcome(http, await accept(http), { timeoutMs: 100_000 }),
    ).rejects.toMatchObject({ code: 'CAS5003' });
    expect(waits[0]).toBe(0);
  });

  it('is not waited for any longer once aborted', async () => {
    const { http } = scriptedService({
      '/start': [[202, undefined, { location: '/o' }]],
      '/o': [[200, { status: 'Running' }]],
    });
    const controller = new AbortController();
    const seen: string[] = [];
    const outcome = waitForOutcome(http, await accept(http), {
      signal: controller.signal,
      onProgress: ({ status }) => {
        seen.push(status);
        if (seen.length === 3) controller.abort(new Error('enough'));
      },
    });
    await expect(outcome).rejects.toThrow('enough');
    expect(seen).toHaveLength(3);
  });
});

describe('listings', () => {
  it('go on along absolute and relative links until there is none', async () => {
    const { http, requestedPaths } = scriptedService({
      '/l?top=2': [[200, { value: [1, 2], nextLink: 'https://other/l?page=2' }]],
      '/l?page=2': [[200, { value: [3], continuationUri: '/l?page=3' }]],
      '/l?page=3': [[200, { value: [], '@odata.nextLink': 'http://service/l?page=4' }]],
      '/l?page=4': [[200, { value: [4], nextLink: '' }]],
    });
    const found: number[] = [];
    for await (const entry of entriesOf<number>(http, { path: '/l', query: { top: 2 } }))
      found.push(entry);
    expect([found, requestedPaths.length]).toEqual([[1, 2, 3, 4], 4]);
  });

  it('request no page before it is read', async () => {
    const { http, requestedPaths } = scriptedService({
      '/l': [[200, { value: [1, 2], nextLink: '/m' }]],
    });
    for await (const entry of entriesOf<number>(http, { path: '/l' })) if (entry === 2) break;
    expect(requestedPaths).toEqual(['/l']);
  });

  it('that repeat a next link are an error, not a loop', async () => {
    const { http } = scriptedService({
      '/l': [[200, { value: [], nextLink: '/l2' }]],
      '/l2': [[200, { value: [], nextLink: '/l2' }]],
    });
    const read = async (): Promise<void> => {
      for await (const page of pagesOf(http, { path: '/l' })) expect(page.value).toEqual([]);
    };
    await expect(read()).rejects.toMatchObject({ code: 'CAS5005' });
  });

  it('whose next links lead back to an earlier page are an error, not a loop', async () => {
    const { http, requestedPaths } = scriptedService({
      '/l': [[200, { value: [], nextLink: '/l2' }]],
      '/l2': [[200, { value: [], nextLink: '/l3' }]],
      '/l3': [[200, { value: [], nextLink: '/l2' }]],
    });
    const read = async (): Promise<void> => {
      for await (const page of pagesOf(http, { path: '/l' })) {
        expect(page.value).toEqual([]);
        if (requestedPaths.length > 10) break;
      }
    };
    await expect(read()).rejects.toMatchObject({ code: 'CAS5005' });
  });
});
