import { outcomeOf } from '../common/long-running.js';
import { entriesOf } from '../common/paging.js';
import { isServiceError } from '../common/service-error.js';
import type { HttpResponse } from '../common/http-client.js';
import type { CallOptions, Connection } from './options.js';
import { requestOptions, signalOf } from './options.js';
import type { Resource, ResourceBody } from './resource.js';

/** Any resource by its id and api-version. */
export interface Resources {
  /** @throws ServiceError with status 404 when there is none. */
  get<R = Resource>(id: string, apiVersion: string, call?: CallOptions): Promise<R>;
  /** Like `get`, but undefined when there is none. */
  find<R = Resource>(id: string, apiVersion: string, call?: CallOptions): Promise<R | undefined>;
  /** Creates or replaces, waits until it is provisioned and returns the result. */
  put<R = Resource>(id: string, apiVersion: string, body: ResourceBody, call?: CallOptions): Promise<R>;
  patch<R = Resource>(id: string, apiVersion: string, body: ResourceBody, call?: CallOptions): Promise<R>;
  /** Deletes and waits until it is gone; one that is gone already is no error. */
  delete(id: string, apiVersion: string, call?: CallOptions): Promise<void>;
  /** `POST {id}/{action}`. */
  action<R>(id: string, action: string, apiVersion: string, body?: unknown, call?: CallOptions): Promise<R>;
  /** The entries below a collection's address, all pages. */
  list<R = Resource>(path: string, apiVersion: string, call?: CallOptions): AsyncIterable<R>;
}

const terminalStates = new Set(['succeeded', 'failed', 'canceled']);

/** The operations that every resource type has. */
export function resources({ http, waitOptions }: Connection): Resources {
  const get = async <R>(id: string, apiVersion: string, call?: CallOptions): Promise<R> =>
    (await http.request<R>({ method: 'GET', path: id, ...requestOptions(apiVersion, call) })).body;

  const settled = async <R>(id: string, apiVersion: string, answer: HttpResponse<unknown>, call?: CallOptions): Promise<R> => {
    const state = (body: unknown): string => {
      const properties = (body as Resource | undefined)?.properties as { provisioningState?: string } | undefined;
      return (properties?.provisioningState ?? 'Succeeded').toLowerCase();
    };
    if (answer.headers.has('azure-asyncoperation') || answer.status === 202) {
      await outcomeOf(http, answer, waitOptions(call));
      return get<R>(id, apiVersion, call);
    }
    let body = answer.body as R;
    const { timeoutMs = 30 * 60_000, signal } = waitOptions(call);
    for (let waited = 0, pause = 1000; !terminalStates.has(state(body)) && waited < timeoutMs; pause = Math.min(pause * 1.5, 30_000)) {
      await http.sleep(pause, signal);
      waited += pause;
      body = await get<R>(id, apiVersion, call);
    }
    return body;
  };

  const write =
    (method: 'PUT' | 'PATCH') =>
    async <R>(id: string, apiVersion: string, body: ResourceBody, call?: CallOptions): Promise<R> => {
      const answer = await http.request({ method, path: id, body, ...requestOptions(apiVersion, call) });
      return settled<R>(id, apiVersion, answer, call);
    };

  return {
    get,
    async find(id, apiVersion, call) {
      try {
        return await get(id, apiVersion, call);
      } catch (error) {
        if (isServiceError(error, 404)) return undefined;
        throw error;
      }
    },
    put: write('PUT'),
    patch: write('PATCH'),
    async delete(id, apiVersion, call) {
      try {
        const answer = await http.request({ method: 'DELETE', path: id, ...requestOptions(apiVersion, call) });
        if (answer.status === 202) await outcomeOf(http, answer, waitOptions(call));
      } catch (error) {
        if (!isServiceError(error, 404)) throw error;
      }
    },
    async action<R>(id: string, action: string, apiVersion: string, body?: unknown, call?: CallOptions): Promise<R> {
      const answer = await http.request({ method: 'POST', path: `${id}/${action}`, body, ...requestOptions(apiVersion, call) });
      return outcomeOf<R>(http, answer, waitOptions(call));
    },
    list: (path, apiVersion, call) => entriesOf(http, { path, query: { 'api-version': apiVersion, ...call?.query }, ...signalOf(call) }),
  };
}
