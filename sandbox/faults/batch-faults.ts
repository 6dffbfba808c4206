import { pathOf } from '../../services/common/call.js';
import type { ServiceContext } from '../../services/common/service.js';
import { playFault, drawFault } from './fault-playback.js';
import type { FaultInjector } from './injector.js';
import { callersOf, type FaultRequest } from './request-match.js';
import { rewriteAnswer } from './answer-faults.js';

/**
 * Lets the faults strike each request of the directory's batches. The connection is that of the
 * whole batch, which `reset` and `hang` meet.
 */
export function faultsInBatches(
  faults: FaultInjector,
): NonNullable<ServiceContext['aroundBatched']> {
  return async ({ method, url, prefix, headers, body }, run) => {
    if (!faults.hasFaults) return run();
    const request: FaultRequest = {
      service: 'directory',
      method,
      path: pathOf(url).slice(prefix.length),
      callers: callersOf(headers.authorization),
    };
    const fault = drawFault(faults, request, `${url}\n${body.toString('utf8')}`);
    if (fault !== undefined) await playFault(fault);
    const answer = await run();
    const { body: answered } = answer;
    if (answered === undefined || Buffer.isBuffer(answered)) return answer;
    const text = typeof answered === 'string' ? answered : JSON.stringify(answered);
    const changed = rewriteAnswer(faults, request, answer.status, text);
    return changed === text ? answer : { ...answer, body: JSON.parse(changed) as unknown };
  };
}
