import { readFileSync } from 'node:fs';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';
import { createBillingService } from '../../../services/billing/index.js';
import { systemClock } from '../../../services/common/clock.js';
import { type Database, openDatabase } from '../../../services/common/database.js';
import { createHttpServer, mountService } from '../../../services/common/http-server.js';
import { openApiDocument } from '../../../services/common/openapi-document.js';
import { createItemsService } from '../../../services/items/index.js';
import { createResourceManagerService } from '../../../services/resource-manager/index.js';
import { addOperatorRoutes } from '../../../services/common/operator-routes.js';
import { noAuthentication } from '../../../services/common/token-verifier.js';

interface OpenApi {
  readonly openapi: string;
  readonly paths: Record<
    string,
    Record<string, { readonly summary: string; readonly responses: object }>
  >;
}

describe('the operator endpoints', () => {
  let app: FastifyInstance;
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase('memory:');
    const context = {
      database,
      dialect: 'neutral' as const,
      clock: systemClock,
      tokenVerifier: noAuthentication,
      throttle: false,
      longRunning: { mode: 'never' as const, seed: '', seconds: 0 },
    };
    const services = [
      await createBillingService(context),
      await createItemsService(context),
      await createResourceManagerService(context),
    ];
    app = createHttpServer();
    for (const service of services) mountService(app, service);
    addOperatorRoutes(app, services, database);
    await app.ready();
  });
  afterAll(() => app.close());

  it('describe the served operations as OpenAPI 3.1', async () => {
    const document = (await app.inject('/openapi.json')).json<OpenApi>();
    const schema = JSON.parse(
      readFileSync(
        require.resolve('@seriousme/openapi-schema-validator/schemas/v3.1/schema.json'),
        'utf8',
      ),
    ) as object;
    const ajv = new Ajv2020({ strict: false });
    addFormats(ajv);
    ajv.addFormat('media-range', /^[^/]+\/[^/]+$/);
    const validate = ajv.compile(schema);
    expect([validate(document), validate.errors]).toEqual([true, null]);
    const listing =
      '/providers/Svc.Billing/billingAccounts/{account}/invoices/{invoice}/transactions';
    expect(document.paths[listing]?.['get']?.summary).toBe('List the transactions of an invoice');
    const resource =
      '/subscriptions/{subscription}/resourceGroups/{group}/providers/{namespace}/{type}/{name}';
    expect(Object.keys(document.paths[resource] ?? {})).toEqual(['get', 'put', 'patch', 'delete']);
    expect(validate({ ...document, paths: { 'no slash': {} } })).toBe(false);
  });

  it('describe thousands of operations in moments, those of one shape at one path', () => {
    const operations = Array.from({ length: 6000 }, (_, index) => [
      { method: 'GET', path: `/lists${index}/:list`, summary: 'Read' },
      { method: 'DELETE', path: `/lists${index}/:id`, summary: 'Delete' },
    ]).flat();
    const description = { name: 'lists', prefixes: ['/v1'], operations, errorSchema: {} };
    const start = performance.now();
    const { paths } = openApiDocument([{ description } as never], 'http://x') as OpenApi;
    expect(performance.now() - start).toBeLessThan(4000);
    expect(Object.keys(paths)).toHaveLength(6000);
    expect(Object.keys(paths['/v1/lists7/{list}'] ?? {})).toEqual(['get', 'delete']);
  });

  it('list only operations that answer', async () => {
    const { paths } = (await app.inject('/openapi.json')).json<OpenApi>();
    for (const [path, operations] of Object.entries(paths))
      for (const method of Object.keys(operations)) {
        const answer = await app.inject({
          method: method.toUpperCase() as 'GET',
          url: path.replace(/\{\w+\}/g, 'x'),
        });
        expect([path, answer.body]).not.toEqual([
          path,
          expect.stringMatching(/"code":"NotFound"|EndpointNotFound/),
        ]);
      }
  });

  it('count and time requests by service, operation and status', async () => {
    await app.inject('/providers/Svc.Billing/billingAccounts/1/invoices/G000000001/transactions');
    const { body, headers } = await app.inject('/metrics');
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    const labels =
      'service="billing",operation="/billingAccounts/:account/invoices/:invoice/transactions",method="GET",status="400"';
    expect(body).toContain(`castellan_requests_total{${labels}}`);
    await app.inject('/subscriptions/s/resourceGroups/none?api-version=2024-03-01');
    const group =
      'service="resource-manager",operation="/:subscription/resourceGroups/:group",method="GET",status="404"';
    expect((await app.inject('/metrics')).body).toContain(`castellan_requests_total{${group}}`);
    expect(body).toContain('castellan_request_duration_seconds_bucket{le="0.1",service="billing"}');
    expect(body).toContain('process_cpu_seconds_total');
  });

  it('report whether the process answers and whether it can serve', async () => {
    expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok' });
    expect((await app.inject('/readyz')).json()).toEqual({ status: 'ready' });
    await database.close();
    const answer = await app.inject('/readyz');
    expect([answer.statusCode, answer.json()]).toEqual([503, { status: 'unavailable' }]);
    expect((await app.inject('/healthz')).statusCode).toBe(200);
  });
});
