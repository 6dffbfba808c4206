import type { AddressInfo } from 'node:net';
import type { Dialect } from '../../../../core/dialect/dialect.js';
import { systemClock } from '../../../../services/common/clock.js';
import { type Database, openDatabase } from '../../../../services/common/database.js';
import { createHttpServer, mountService } from '../../../../services/common/http-server.js';
import type { SeedEntry } from '../../../../services/common/seed.js';
import {
  noAuthentication,
  type TokenVerifier,
} from '../../../../services/common/token-verifier.js';
import { createBillingService } from '../../../../services/billing/index.js';

/** The account and invoice of the tests. */
export const account =
  '00000000-0000-4000-8000-000000000001:00000000-0000-4000-8000-000000000002_2019-05-31';
export const invoice = 'G123456789';

/** How a test runs the service. */
export interface StartOptions {
  readonly billing?: readonly SeedEntry[];
  readonly dialect?: Dialect;
  readonly tokenVerifier?: TokenVerifier;
  readonly throttle?: boolean;
  readonly database?: string;
  readonly tls?: { cert: string; key: string };
}

/* eslint-disable @typescript-eslint/no-explicit-any -- tests look into answers freely */
/** The service under test. */
export interface StartedBilling {
  readonly origin: string;
  readonly database: Database;
  readonly path: string;
  /** A page by its query options (an api-version is added), or by an absolute link. */
  list(
    query?: Record<string, string> | string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; body: any; text: string }>;
  /** Every transaction of a listing, page by page. */
  listAll(query?: Record<string, string>): Promise<any[]>;
  seed(billing: readonly SeedEntry[]): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the billing service on a free port of loopback. */
export async function startBilling(options: StartOptions = {}): Promise<StartedBilling> {
  const database = await openDatabase(options.database ?? 'memory:');
  const { dialect = 'neutral' } = options;
  const service = await createBillingService({
    database,
    dialect,
    clock: systemClock,
    tokenVerifier: options.tokenVerifier ?? noAuthentication,
    throttle: options.throttle ?? false,
    longRunning: { mode: 'never', seed: '', seconds: 0 },
  });
  await service.seed({ billing: options.billing ?? [] });
  const server = createHttpServer(options.tls === undefined ? {} : { tls: options.tls });
  mountService(server, service);
  await server.listen({ host: '127.0.0.1', port: 0 });
  const origin = `${options.tls ? 'https' : 'http'}://localhost:${(server.server.address() as AddressInfo).port}`;
  const namespace = dialect === 'azure' ? 'Microsoft.Billing' : 'Svc.Billing';
  const path = `/providers/${namespace}/billingAccounts/${account}/invoices/${invoice}/transactions`;
  const started: StartedBilling = {
    origin,
    database,
    path,
    async list(query = {}, headers = {}) {
      const url =
        typeof query === 'string'
          ? query
          : `${origin}${path}?${new URLSearchParams({ 'api-version': '2024-04-01', ...query }).toString()}`;
      const response = await fetch(url, { headers });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: JSON.parse(text) as unknown,
      };
    },
    async listAll(query = {}) {
      const transactions: unknown[] = [];
      for (
        let page = await started.list(query);
        ;
        page = await started.list(page.body.nextLink as string)
      ) {
        if (page.status !== 200) throw new Error(page.text);
        transactions.push(...(page.body.value as unknown[]));
        if (page.body.nextLink === undefined) return transactions;
      }
    },
    seed: (billing) => service.seed({ billing }),
    async stop() {
      server.server.closeAllConnections();
      await server.close();
      await service.close();
      await database.close();
    },
  };
  return started;
}
