import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CheckedRequest } from '../checked-request.js';
import type { AccessDecision } from '../decide-access.js';
import { sendAnswer } from '../http/answer.js';
import { isHttp2 } from '../http/message.js';
import { Refusal } from '../http/refusal.js';
import { refusalAnswer } from '../http/refusal-answers.js';
import { startAppSpan } from '../operations/tracing.js';
import { closeWithSession } from '../connection-lifetime.js';
import { forward, type ForwardFailure } from './forward.js';
import { forwardByHttp2 } from './http2-app.js';
import { upstreamRequestHead } from './request-head.js';

/**
 * Sends an admitted request to the app, and the app's answer, or a refusal, to the client.
 *
 * @param clientIdleTimeoutMs how long the client may be silent before its request is complete, and
 *   take nothing of the answer.
 * @returns a function to call when the client's side has closed.
 */
export function sendToApp(
  request: CheckedRequest,
  decision: Extract<AccessDecision, { kind: 'forward' }>,
  inbound: IncomingMessage,
  outbound: ServerResponse,
  expectsContinue: boolean,
  clientIdleTimeoutMs: number,
): () => void {
  const { runtime, headers, method, id } = request;
  const appSpan = startAppSpan(method);
  if (appSpan !== undefined) outbound.once('close', () => appSpan.end());
  if (headers.contentLength !== undefined || headers.chunked) {
    inbound.setTimeout(clientIdleTimeoutMs, () => {
      if (!inbound.complete) (isHttp2(inbound) ? outbound : inbound).destroy();
    });
    // From then on the app may take its time.
    inbound.once('end', () => inbound.setTimeout(0));
  }
  const upstreamRequest = {
    method,
    head: upstreamRequestHead(request, decision),
    contentLength: headers.contentLength,
    chunked: headers.chunked,
    expectContinue: expectsContinue,
    setCookies: decision.setCookies,
    idleTimeoutMs: runtime.settings.limits.appTimeoutSeconds * 1000,
    clientIdleTimeoutMs,
    onEventStream: () => {
      const end = (): void => void outbound.destroy();
      outbound.once('close', closeWithSession(request, decision.authentication, 'http', end));
    },
  };
  const byHttp2 = runtime.settings.transport === 'http2';
  const app = byHttp2 ? runtime.http2App : runtime.pool;
  const onFailure = (failure: ForwardFailure): void => {
    runtime.metrics.count('upstream_failures_total', { reason: failure });
    runtime.log.warn('the app did not answer', {
      id,
      reason: failure,
      address: runtime.pool.url,
      ...(failure === 'unreachable' && { code: app.lastFailure }),
    });
    sendAnswer(
      inbound,
      outbound,
      refusalAnswer(runtime.pages, upstreamRefusal(failure), id, headers),
    );
  };
  return byHttp2
    ? forwardByHttp2(runtime.http2App, upstreamRequest, inbound, outbound, onFailure)
    : forward(runtime.pool, upstreamRequest, inbound, outbound, onFailure);
}

function upstreamRefusal(failure: ForwardFailure): Refusal {
  if (failure === 'timeout')
    return new Refusal(504, 'The app did not answer in time.', { closesConnection: true });
  return new Refusal(
    502,
    failure === 'malformed' ? 'The app gave no valid answer.' : 'The app could not be reached.',
    { closesConnection: true },
  );
}
