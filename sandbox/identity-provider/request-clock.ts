import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../services/common/clock.js';

const clocks = new AsyncLocalStorage<Clock>();
const machineNow = Date.now;

/**
 * Makes `Date.now()` return a clock's time within the requests of a scope, since oidc-provider
 * accepts no clock (docs/adr/0013). Everything else in the process keeps the machine's time.
 */
export function useClockInRequests(scope: FastifyInstance, clock: Clock): void {
  Date.now = () => clocks.getStore()?.now().getTime() ?? machineNow();
  // right before the handler: the context of earlier hooks ends where a body is read
  scope.addHook('preHandler', (_request, _reply, done) => clocks.run(clock, done));
  scope.addHook('onClose', (_scope, done) => {
    Date.now = machineNow;
    done();
  });
}
