import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import {
  context,
  type Context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { isObject } from '../../../core/values/is-object.js';
import type { JsonObject, SidecarSettings } from '../config/settings.js';
import { Refusal } from '../http/refusal.js';
import {
  ExternalCallError,
  urlWithoutSecrets,
  reasonOf,
} from '../operations/external-call-error.js';
import { tracerName } from '../operations/tracing.js';

/** A request to a provider. */
export interface ProviderRequest {
  /** @default POST with a form or JSON, otherwise GET */
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as a form. */
  readonly form?: URLSearchParams;
  /** Sent as JSON. */
  readonly json?: JsonObject;
  readonly signal: AbortSignal;
}

/** A provider's answer. */
export interface ProviderAnswer {
  readonly status: number;
  readonly text: string;
  /** The parsed answer, from JSON or a form; empty if it is neither. */
  readonly body: JsonObject;
}

/** Calls a provider; replaced in tests. */
export type ProviderHttp = (url: string, request: ProviderRequest) => Promise<ProviderAnswer>;

const maxAnswerBytes = 1024 * 1024;

/**
 * Creates the function that calls providers: no redirects, at most 1 MB, until the signal aborts.
 *
 * @param onFailure gets the address, without its query, of an unreachable provider, and the reason.
 * @throws Refusal 502 or 504, without the content of request or answer.
 */
export function createProviderHttp(onFailure: (failure: ExternalCallError) => void): ProviderHttp {
  return async (url, request) => {
    const { hostname, pathname } = new URL(url);
    const method =
      request.method ?? (request.form === undefined && request.json === undefined ? 'GET' : 'POST');
    const attributes = {
      'http.request.method': method,
      'server.address': hostname,
      'url.path': pathname,
    };
    const span = trace
      .getTracer(tracerName)
      .startSpan('identity provider call', { kind: SpanKind.CLIENT, attributes });
    try {
      const answer = await send(url, request, trace.setSpan(context.active(), span));
      span.setAttribute('http.response.status_code', answer.status);
      if (answer.status >= 500)
        onFailure(new ExternalCallError(`status ${answer.status}`, urlWithoutSecrets(url)));
      return answer;
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      onFailure(
        new ExternalCallError(
          request.signal.aborted ? 'ETIMEDOUT' : reasonOf(error),
          urlWithoutSecrets(url),
        ),
      );
      if (error instanceof Refusal) throw error;
      if (request.signal.aborted) throw providerTimeoutRefusal();
      throw new Refusal(502, 'The identity provider could not be reached.', {
        code: 'provider_unreachable',
      });
    } finally {
      span.end();
    }
  };
}

/**
 * Makes all calls that one request needs of a provider, within `httpSettings.providerTimeout`
 * together. @throws Refusal 504
 */
export async function withProviderTimeout<T>(
  { settings }: { readonly settings: Pick<SidecarSettings, 'limits'> },
  calls: (signal: AbortSignal) => Promise<T> | T,
): Promise<T> {
  const controller = new AbortController();
  let deadline: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    deadline = setTimeout(() => {
      reject(providerTimeoutRefusal());
      controller.abort();
    }, settings.limits.providerTimeoutSeconds * 1000);
  });
  try {
    // `calls` runs inside an async function, so that an error which it throws at once is raced, too.
    return await Promise.race([timeout, (async () => calls(controller.signal))()]);
  } finally {
    clearTimeout(deadline);
  }
}

/** The refusal when a provider hangs. */
export function providerTimeoutRefusal(): Refusal {
  return new Refusal(504, 'The identity provider did not answer in time.', {
    code: 'provider_timeout',
  });
}

async function send(
  url: string,
  request: ProviderRequest,
  traceContext: Context,
): Promise<ProviderAnswer> {
  const traceHeaders: Record<string, string> = {};
  propagation.inject(traceContext, traceHeaders);
  const payload =
    request.form?.toString() ??
    (request.json === undefined ? undefined : JSON.stringify(request.json));
  const type =
    request.form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  const options = {
    method: request.method ?? (payload === undefined ? 'GET' : 'POST'),
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'castellan-auth-sidecar',
      ...(payload !== undefined && { 'content-type': type }),
      ...traceHeaders,
      ...request.headers,
    },
    signal: request.signal,
  };
  const response = await sendUntilResponse(new URL(url), options, payload);
  const { statusCode: status = 0, headers } = response;
  if (status >= 300 && status < 400) {
    response.destroy();
    throw new ExternalCallError(`status ${status}, a redirect`, urlWithoutSecrets(url));
  }
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (encoding !== 'identity') {
    response.destroy();
    throw new ExternalCallError(`an answer in ${encoding}, not as asked`, urlWithoutSecrets(url));
  }
  const text = await readLimitedBody(response);
  return { status, text, body: parseBody(text, headers['content-type'] ?? '') };
}

/**
 * Sends a request until its answer begins. Where the provider had closed a kept connection in the
 * same moment, it goes through a new one: see `request.reusedSocket` of Node's documentation.
 */
function sendUntilResponse(
  target: URL,
  options: RequestOptions,
  payload: string | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const clientRequest = (target.protocol === 'https:' ? https : http).request(target, options);
    const fail = (error: NodeJS.ErrnoException): void => {
      if (clientRequest.reusedSocket && error.code === 'ECONNRESET')
        sendUntilResponse(target, options, payload).then(resolve, reject);
      else reject(error);
    };
    clientRequest
      .once('error', fail)
      .once('response', (response) => {
        clientRequest.off('error', fail).on('error', reject);
        resolve(response);
      })
      .end(payload);
  });
}

async function readLimitedBody(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = Number(response.headers['content-length'] ?? 0) > maxAnswerBytes ? Infinity : 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    length += part.length;
    // Leaving the loop closes the connection.
    if (length > maxAnswerBytes)
      throw new Refusal(502, 'The identity provider answered with more than 1 MB.', {
        code: 'provider_answer_too_long',
      });
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseBody(text: string, type: string): JsonObject {
  if (/^\s*[{[]/.test(text)) {
    try {
      const body: unknown = JSON.parse(text);
      return isObject(body) ? body : {};
    } catch {
      return {}; // not JSON: the caller reports what is missing
    }
  }
  return /urlencoded|text\/(plain|html)/.test(type)
    ? Object.fromEntries(new URLSearchParams(text))
    : {};
}
