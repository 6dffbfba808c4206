import { say, words } from '../../core/dialect/dialect.js';
import { systemClock } from '../common/clock.js';
import { migrate } from '../common/database.js';
import type { Service, ServiceContext } from '../common/service.js';
import { createThrottle, noThrottle } from '../common/throttle.js';
import { seedBilling } from './data/seed.js';
import { addRoutes } from './http/routes.js';
import { fieldNames } from './query/names.js';
import type { BillingRuntime } from './runtime.js';
import { fieldTree } from './store/encode.js';
import { fieldsOf } from './store/fields.js';
import { createPrintedRows } from './store/printed-rows.js';
import { billingMigrations } from './store/tables.js';
import type { BillingDatabase } from './store/tables.js';

/** Far above what people and dashboards need, low enough that a runaway loop meets it. */
const limits = { burst: 1500, perSecond: 100, retryAfterSeconds: 5 };

/** The billing service (spec 002, part A): the transactions of invoices. */
export async function createBillingService(context: ServiceContext): Promise<Service> {
  const { database, dialect, tokens } = context;
  await migrate(database, 'billing', billingMigrations(database.engine));
  const fields = fieldsOf(dialect);
  const runtime: BillingRuntime = {
    database,
    db: database.connection as unknown as BillingDatabase,
    dialect,
    tokens,
    throttle: context.throttle ? createThrottle(limits, systemClock) : noThrottle,
    names: fieldNames(fields),
    printed: createPrintedRows(database, fieldTree(fields)),
  };
  return {
    prefixes: [`/providers/${say(words.billingNamespace, dialect)}`],
    register: (scope) => addRoutes(scope, runtime),
    seed: (section) => seedBilling(database, dialect, section.billing ?? []),
    close: () => Promise.resolve(),
  };
}
