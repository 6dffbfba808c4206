import { inDialect, dialectWords } from '../../core/dialect/dialect.js';
import type { Call, Operation } from '../common/call.js';
import type { Caller } from '../common/caller.js';
import { Chassis } from '../common/chassis.js';
import { migrate } from '../common/database.js';
import { managementAudiences, hasUserImpersonation } from '../common/management-access.js';
import type { Service, ServiceContext } from '../common/service.js';
import { sharedThrottle } from '../common/shared-bucket.js';
import { throttleEachOperation } from '../common/throttle.js';
import { seedBilling } from './data/seed.js';
import { BillingError, errorSchema, toBillingError } from './errors.js';
import { type BillingRuntime, listTransactions } from './list-transactions.js';
import { notServedByBilling } from './not-served.js';
import { createFieldFinder, fieldsInDialect } from './store/fields.js';
import { billingMigrations } from './store/tables.js';
import { TransactionStore } from './store/transaction-store.js';

const operations: readonly Operation<BillingRuntime>[] = [
  {
    method: 'GET',
    path: '/billingAccounts/:account/invoices/:invoice/transactions',
    summary: 'List the transactions of an invoice',
    query: {
      'api-version': 'Required: 2024-04-01.',
      filter: 'A condition on the fields of a transaction.',
      orderBy: 'Fields, each with asc or desc, separated by commas.',
      search: 'A text that any field contains, case-insensitive.',
      top: 'The size of a page, 50 at most.',
      skip: 'The number of transactions to skip.',
      count: 'true adds totalCount, the number of matching transactions.',
      skiptoken: 'The position after which a next link continues.',
    },
    handler: listTransactions,
  },
];

/** The billing service: the transactions of invoices. */
export async function createBillingService(context: ServiceContext): Promise<Service> {
  const { database, dialect, tokenVerifier, clock } = context;
  await migrate(database, 'billing', billingMigrations(database.engine));
  const fields = fieldsInDialect(dialect);
  const store = new TransactionStore(database, dialect);
  const chassis = new Chassis<BillingRuntime>({
    name: 'billing',
    operations,
    tokenVerifier,
    clock,
    toServiceError: toBillingError,
    errorSchema,
    audiences: managementAudiences,
    notServed: notServedByBilling,
    prefixes: [`/providers/${inDialect(dialectWords.billingNamespace, dialect)}`],
    runtime: { store, findField: createFieldFinder(fields) },
    headers: ({ requestId }) => ({
      [inDialect(dialectWords.requestIdHeader, dialect)]: requestId,
      ...(dialect === 'azure' && { 'x-ms-correlation-request-id': requestId }),
    }),
    ...(context.throttle && {
      throttle: throttleEachOperation(sharedThrottle(context.database, 'billing')),
    }),
    before: ({ caller }: Call) => requireScope(caller),
  });
  return Object.assign(chassis, {
    seed: (lists: Parameters<Service['seed']>[0]) =>
      seedBilling(store, fields, dialect, lists.billing ?? []),
    close: () => Promise.resolve(),
  });
}

function requireScope(caller: Caller): void {
  if (hasUserImpersonation(caller)) return;
  throw new BillingError(
    403,
    'AuthorizationFailed',
    'The token does not have the scope user_impersonation.',
  );
}
