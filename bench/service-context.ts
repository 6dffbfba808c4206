import { systemClock } from '../services/common/clock.js';
import type { Database } from '../services/common/database.js';
import type { ServiceContext } from '../services/common/service.js';
import { noAuthentication } from '../services/common/token-verifier.js';

/** The context of a measured service: no authentication, no rate limit, no long-running operations. */
export function serviceContext(database: Database): ServiceContext {
  return {
    database,
    dialect: 'neutral',
    clock: systemClock,
    tokenVerifier: noAuthentication,
    throttle: false,
    longRunning: { mode: 'never', seed: '', seconds: 0 },
  };
}
