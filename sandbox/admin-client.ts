import { readFileSync } from 'node:fs';
import { fetchTrusting } from '../clients/common/index.js';
import { CastellanError } from '../core/errors/castellan-error.js';
import { catalogue, type ErrorCode } from '../core/errors/catalogue.js';
import { sandboxName, type SandboxPaths } from './paths.js';
import { readSettings } from './settings.js';
import { readRunningState } from './state.js';

/** @throws CAS4012 when the process ended before it answered. */
async function send(paths: SandboxPaths, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetchTrusting(readFileSync(paths.ca, 'utf8'))(url, init);
  } catch (cause) {
    throw toEndedError(paths, init.signal, cause);
  }
}

async function bodyOf(paths: SandboxPaths, answer: Response): Promise<unknown> {
  try {
    return await answer.json();
  } catch (cause) {
    throw toEndedError(paths, undefined, cause);
  }
}

function toEndedError(
  paths: SandboxPaths,
  signal: AbortSignal | null | undefined,
  cause: unknown,
): unknown {
  const { name, code } = ((cause as Error).cause ?? {}) as { name?: string; code?: string };
  const late =
    code === 'UND_ERR_CONNECT_TIMEOUT' ||
    [name, (cause as Error).name, (signal?.reason as Error | undefined)?.name].includes(
      'TimeoutError',
    );
  if (late)
    return new CastellanError(
      'CAS4016',
      `the sandbox of ${sandboxName(paths)} runs, but gives no answer; its log is ${paths.log}`,
      {
        cause,
      },
    );
  if (signal?.aborted === true) return cause;
  return new CastellanError(
    'CAS4012',
    `the sandbox of ${sandboxName(paths)} ended before it answered`,
    { cause },
  );
}

/** Sends a request to the background process of a sandbox, as its owner. */
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
  const answer = await send(paths, `${state.origin}/_castellan${path}`, {
    method,
    headers: {
      authorization: `Bearer ${settings.adminToken}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.any([
      AbortSignal.timeout(method === 'GET' ? 8_000 : 60_000),
      ...(signal === undefined ? [] : [signal]),
    ]),
  });
  const content = (await bodyOf(paths, answer)) as T & {
    error?: { code: string; message: string };
  };
  if (answer.ok) return content;
  const { code = '', message = `the sandbox answered ${answer.status}` } = content.error ?? {};
  throw new CastellanError(
    code in catalogue ? (code as ErrorCode) : (codes[answer.status] ?? 'CAS4011'),
    message,
  );
}

const codes: Readonly<Record<number, ErrorCode>> = { 400: 'CAS4002', 507: 'CAS8203' };
