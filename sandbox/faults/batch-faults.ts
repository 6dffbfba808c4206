import { pathOf } from '../../services/common/call.js';
import type { ServiceContext } from '../../services/common/service.js';
import { injectFault, drawRequestFault } from './request-faults.js';
import type { FaultInjector } from './injector.js';
import { callerIdentifiers, type FaultRequest } from './request-match.js';
import { rewriteResponse } from './response-faults.js';

/**
 * Injects the faults into each request inside the directory's `$batch` requests, except `reset` and
 * `hang`: these two break the connection, which all requests of a batch share.
 */
export function batchFaultInjector(
  faults: FaultInjector,
): NonNullable<ServiceContext['aroundBatchedRequest']> {
  return async ({ method, url, prefix, headers, body }, run) => {
    if (!faults.hasFaults) return run();
    const request: FaultRequest = {
      service: 'directory',
      method,
      path: pathOf(url).slice(prefix.length),
      callers: callerIdentifiers(headers.authorization),
    };
    const fault = drawRequestFault(faults, request, `${url}\n${body.toString('utf8')}`);
    if (fault !== undefined) await injectFault(fault);
    const answer = await run();
    const { body: answerBody } = answer;
    if (answerBody === undefined || Buffer.isBuffer(answerBody)) return answer;
    const text = typeof answerBody === 'string' ? answerBody : JSON.stringify(answerBody);
    const rewritten = rewriteResponse(faults, request, answer.status, text);
    return rewritten === text ? answer : { ...answer, body: JSON.parse(rewritten) as unknown };
  };
}
