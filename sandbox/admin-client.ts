import { readFileSync } from 'node:fs';
import { request, type RequestOptions } from 'node:https';
import { json } from 'node:stream/consumers';
import { CastellanError } from '../core/errors/castellan-error.js';
import { catalogue, type ErrorCode } from '../core/errors/catalogue.js';
import { sandboxName, type SandboxPaths } from './paths.js';
import { readSettings } from './settings.js';
import { readRunningState } from './state.js';

/** The response of the sandbox, its JSON body parsed. */
interface AdminResponse {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Sends a request by Node's own client: every command asks the sandbox, and undici takes long to
 * load. Only the sandbox's own authority is trusted.
 */
function send(
  paths: SandboxPaths,
  url: string,
  { body, ...options }: RequestOptions & { readonly body: string | undefined },
): Promise<AdminResponse> {
  return new Promise((resolve, reject) => {
    // a connection of its own: a kept one may be closed by the sandbox just when it is used again
    request(url, { ...options, ca: readFileSync(paths.ca), agent: false }, (response) => {
      json(response).then(
        (content) => resolve({ status: response.statusCode ?? 0, body: content }),
        reject,
      );
    })
      .once('error', reject)
      .end(body);
  });
}

/** The error to throw for a request without a response: timed out, aborted, or disconnected. */
function requestError(paths: SandboxPaths, signal: AbortSignal, cause: unknown): unknown {
  if ((signal.reason as Error | undefined)?.name === 'TimeoutError')
    return new CastellanError(
      'CAS4016',
      `the sandbox of ${sandboxName(paths)} runs, but does not answer; its log is ${paths.log}`,
      { cause },
    );
  if (signal.aborted) return signal.reason;
  return new CastellanError(
    'CAS4012',
    `the sandbox of ${sandboxName(paths)} ended before it answered`,
    { cause },
  );
}

/** A request that changes something may restart apps or move the clock over many days. */
const timeoutMs = { read: 8_000, change: 60_000 };

/**
 * Sends a request to the background process of a sandbox, as its owner.
 *
 * @throws CAS4012 when none is running, or it ends meanwhile; CAS4016 when it does not answer in
 *   time; the error of the sandbox, by its code, when it refuses.
 */
export async function requestSandbox<T>(
  paths: SandboxPaths,
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  const state = readRunningState(paths);
  const settings = readSettings(paths);
  if (state === undefined || settings === undefined)
    throw new CastellanError('CAS4012', `no sandbox is running for ${sandboxName(paths)}`);
  const timeout = AbortSignal.timeout(method === 'GET' ? timeoutMs.read : timeoutMs.change);
  const requestSignal = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  const answer = await send(paths, `${state.origin}/_castellan${path}`, {
    method,
    headers: {
      authorization: `Bearer ${settings.adminToken}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: requestSignal,
  }).catch((cause: unknown) => {
    throw requestError(paths, requestSignal, cause);
  });
  if (answer.status >= 200 && answer.status < 300) return answer.body as T;
  const { error } = answer.body as { error?: { code: string; message: string } };
  const { code = '', message = `the sandbox answered ${answer.status}` } = error ?? {};
  throw new CastellanError(code in catalogue ? (code as ErrorCode) : 'CAS8999', message);
}
