import { say, words } from '../../../core/dialect/dialect.js';
import type { Answer, Call } from '../http/call.js';

/** The 202 of an accepted operation: where to ask after it, its id, and when (items interface, "States and transitions"). */
export function accepted({ runtime, origin }: Call, operationId: string): Answer {
  return {
    status: 202,
    headers: {
      location: `${origin}/v1/operations/${operationId}`,
      [say(words.operationIdHeader, runtime.dialect)]: operationId,
      'retry-after': String(runtime.operations.retryAfter),
    },
  };
}
