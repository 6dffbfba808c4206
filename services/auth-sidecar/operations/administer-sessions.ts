import { isObject } from '../../../core/values/is-object.js';
import { Refusal } from '../http/refusal.js';
import type { Runtime } from '../runtime.js';
import { endSessions, listSessions, parseSelector } from '../session/list-and-end-sessions.js';

/** A request of an operator about sessions, as plain data that can be sent to workers. */
export interface SessionsRequest {
  readonly action: 'list' | 'end';
  /** Which sessions: the JSON body of a request to end them, or the query of a listing. */
  readonly parameters: unknown;
  /** Address of the operator. */
  readonly client: string;
}

/** The answer: a status and a body of JSON. */
export interface SessionsAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Lists or ends sessions. */
export async function administerSessions(
  runtime: Runtime,
  { action, parameters, client }: SessionsRequest,
): Promise<SessionsAnswer> {
  try {
    if (!isObject(parameters))
      throw new Refusal(400, 'The body must be a JSON object.', { code: 'invalid_request' });
    if (action === 'list') {
      const filter = Object.keys(parameters).length === 0 ? {} : parseSelector(parameters);
      return { status: 200, body: { sessions: await listSessions(runtime, filter) } };
    }
    const ending = { client, path: '/admin/sessions/end', reason: 'by an operator' };
    return {
      status: 200,
      body: { ended: await endSessions(runtime, parseSelector(parameters), ending) },
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, message, options } = error;
    return { status, body: { code: status, error: options.code, message } };
  }
}
