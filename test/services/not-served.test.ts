import type { FastifyInstance } from 'fastify';
import { notServedByBilling } from '../../services/billing/not-served.js';
import { createHttpServer, mountService } from '../../services/common/http-server.js';
import { notServedAnchor } from '../../services/common/not-served.js';
import type { Service } from '../../services/common/service.js';
import { notServedByDirectory } from '../../services/directory/http/not-served.js';
import {
  createBillingService,
  createDirectoryService,
  createItemsService,
  createResourceManagerService,
  noAuthentication,
  openDatabase,
  systemClock,
} from '../../services/index.js';
import { notServedByItems } from '../../services/items/http/not-served.js';
import { notServedByResourceManager } from '../../services/resource-manager/not-served.js';

let server: FastifyInstance;
let closeAll: () => Promise<void>;
beforeAll(async () => {
  const database = await openDatabase('memory:');
  const context = {
    database,
    dialect: 'azure' as const,
    clock: systemClock,
    tokenVerifier: noAuthentication,
    throttle: false,
    longRunning: { mode: 'never' as const, seed: '', seconds: 0 },
  };
  const services: Service[] = [
    await createDirectoryService(context),
    await createItemsService(context),
    await createBillingService(context),
    await createResourceManagerService(context),
  ];
  server = createHttpServer();
  for (const service of services) mountService(server, service);
  await server.ready();
  closeAll = async () => {
    await server.close();
    for (const service of services) await service.close();
    await database.close();
  };
});
afterAll(() => closeAll());

const sendRequest = (method: string, url: string, payload?: object) =>
  server.inject({
    method: method as 'GET',
    url,
    headers: { 'content-type': 'application/json' },
    ...(method === 'POST' && { payload: payload ?? {} }),
  });

const parts = [
  ['/v1.0', notServedByDirectory],
  ['/beta', notServedByDirectory],
  ['/v1', notServedByItems],
  ['/providers/Microsoft.Billing', notServedByBilling],
  ['/subscriptions', notServedByResourceManager],
] as const;

describe.each(parts)('below %s', (prefix, notServed) => {
  it.each(notServed.map((part) => [part.example, part] as const))(
    '%s is answered by 501, which says where that is stated and what to do instead',
    async (example, { id, alternative, feature }) => {
      const [method = '', path = ''] = example.split(' ');
      const url = `${prefix}${path}${prefix === '/subscriptions' ? '?api-version=2025-07-01' : ''}`;
      const answer = await sendRequest(method, url);
      const body = answer.json();
      const { message } = body.error ?? body;
      expect([answer.statusCode, body.error?.code ?? body.errorCode]).toEqual([
        501,
        'NotImplemented',
      ]);
      expect(message).toContain(`does not serve ${feature}. ${alternative} See `);
      expect(message).toContain(`docs/reference/parity.md#${notServedAnchor(id)}`);
    },
  );

  it('a path that the cloud has not either is 404', async () => {
    expect((await sendRequest('GET', `${prefix}/chairs/1/legs`)).statusCode).toBe(404);
  });
});

test('a request of a batch is answered the same way', async () => {
  const { responses } = (
    await sendRequest('POST', '/v1.0/$batch', {
      requests: [{ id: '1', method: 'GET', url: '/me/messages' }],
    })
  ).json();
  expect(responses[0].status).toBe(501);
  expect(responses[0].body.error.message).toContain('#not-served-mail');
});
