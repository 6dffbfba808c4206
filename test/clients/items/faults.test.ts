import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createItemsClient, type ItemsClient } from '../../../clients/items/index.js';

type Handler = (request: IncomingMessage, response: ServerResponse, attempt: number) => void;

const workspace = 'a0000000-0000-4000-8000-000000000001';

/**
 * A service that misbehaves as the test says, a client that doesn't really wait, and what both did.
 */
async function startMisbehavingService(handler: Handler): Promise<{
  items: ItemsClient;
  attempts: () => number;
  waits: number[];
  stop: () => Promise<void>;
}> {
  let attempts = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => handler(request, response, ++attempts));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const waits: number[] = [];
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    signal?.throwIfAborted();
    waits.push(ms);
    return Promise.resolve();
  };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    items: createItemsClient({ baseUrl, sleep }),
    attempts: () => attempts,
    waits,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const json = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void =>
  void response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body));
const tooManyRequests = {
  errorCode: 'TooManyRequests',
  message: 'slow down',
  isRetriable: true,
  requestId: 'r',
};

describe('a service that misbehaves', () => {
  let service: Awaited<ReturnType<typeof startMisbehavingService>>;
  afterEach(() => service.stop());

  it('by a storm of 429: the creation is sent again as asked, and made once', async () => {
    service = await startMisbehavingService((_request, response, attempt) =>
      attempt <= 3
        ? json(response, 429, tooManyRequests, { 'retry-after': String(attempt) })
        : json(response, 201, { id: 'made' }),
    );
    expect(await service.items.eventstreams.create(workspace, { displayName: 's' })).toEqual({
      id: 'made',
    });
    expect(service.waits).toEqual([1000, 2000, 3000]);
  });

  it('when 429 never ends: the error says that a retry may succeed, and when', async () => {
    service = await startMisbehavingService((_request, response) =>
      json(response, 429, tooManyRequests, { 'retry-after': '55' }),
    );
    const creation = service.items.eventstreams.create(workspace, { displayName: 's' });
    await expect(creation).rejects.toMatchObject({
      status: 429,
      serviceCode: 'TooManyRequests',
      isRetriable: true,
      retryAfterMs: 55_000,
    });
    expect(service.attempts()).toBe(5);
  });

  it('by connections that break in the middle of a body: reads are sent again', async () => {
    service = await startMisbehavingService((_request, response, attempt) => {
      if (attempt > 2) return json(response, 200, { id: 'whole' });
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        .write('{"id":"ha');
      setImmediate(() => response.destroy());
    });
    expect(await service.items.eventhouses.get(workspace, 'x')).toEqual({ id: 'whole' });
    expect(service.attempts()).toBe(3);
  });

  it('when the connection breaks after a creation was sent: does not repeat it, since it may have succeeded', async () => {
    service = await startMisbehavingService((_request, response) => void response.destroy());
    await expect(
      service.items.eventstreams.create(workspace, { displayName: 's' }),
    ).rejects.toMatchObject({ code: 'CAS5002' });
    expect(service.attempts()).toBe(1);
  });

  it('by an operation that never ends: the caller gets an error in time', async () => {
    service = await startMisbehavingService((request, response) =>
      request.method === 'POST'
        ? json(response, 202, undefined, { location: '/v1/operations/1', 'retry-after': '20' })
        : json(response, 200, { status: 'Running', percentComplete: 1 }, { 'retry-after': '20' }),
    );
    const creation = service.items.eventstreams.create(
      workspace,
      { displayName: 's' },
      { wait: { timeoutMs: 100_000 } },
    );
    await expect(creation).rejects.toMatchObject({ code: 'CAS5003' });
    expect(service.waits).toEqual([20_000, 20_000, 20_000, 20_000, 20_000]);
  });

  it('by an operation that never ends: the caller can give up', async () => {
    const giveUp = new AbortController();
    service = await startMisbehavingService((request, response, attempt) => {
      if (attempt === 3) giveUp.abort(new Error('enough'));
      if (request.method === 'POST')
        json(response, 202, undefined, { location: '/v1/operations/1' });
      else json(response, 200, { status: 'Running' });
    });
    const creation = service.items.eventstreams.create(
      workspace,
      { displayName: 's' },
      { signal: giveUp.signal },
    );
    await expect(creation).rejects.toThrow('enough');
  });

  it.each(['Failed', 'Cancelled', 'Undefined'])(
    'by an operation that ends as %s without a word: it is a failure all the same',
    async (status) => {
      service = await startMisbehavingService((request, response) =>
        request.method === 'POST'
          ? json(response, 202, undefined, { 'x-svc-operation-id': '1' })
          : json(response, 200, { status, error: null }, { requestid: 'r-7' }),
      );
      const creation = service.items.eventstreams.create(workspace, { displayName: 's' });
      await expect(creation).rejects.toMatchObject({
        code: 'CAS5001',
        serviceCode: 'OperationFailed',
        requestId: 'r-7',
      });
    },
  );

  it('when polling an operation fails once: polls again', async () => {
    service = await startMisbehavingService((request, response, attempt) => {
      if (request.method === 'POST')
        return json(response, 202, undefined, { location: '/v1/operations/1' });
      if (attempt === 2) return void response.destroy();
      if (attempt === 3) return json(response, 503, 'down');
      if (request.url === '/v1/operations/1/result') return json(response, 200, { id: 'made' });
      return json(response, 200, { status: 'Succeeded' }, { location: '/v1/operations/1/result' });
    });
    expect(await service.items.eventstreams.create(workspace, { displayName: 's' })).toEqual({
      id: 'made',
    });
  });

  it('when a page links to itself: the listing ends with an error', async () => {
    service = await startMisbehavingService((_request, response) =>
      json(response, 200, { value: [{ id: 1 }], continuationUri: '/v1/again' }),
    );
    const list = async (): Promise<void> => {
      for await (const item of service.items.items.list(workspace)) expect(item).toBeDefined();
    };
    await expect(list()).rejects.toMatchObject({ code: 'CAS5005' });
  });
});
