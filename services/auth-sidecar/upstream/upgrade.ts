import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type CheckedRequest, checkRequest } from '../checked-request.js';
import {
  httpsRedirect,
  isSidecarPath,
  decideAccess,
  type AccessDecision,
} from '../decide-access.js';
import { type Answer, sendToSocket } from '../http/answer.js';
import { isForwardAuthPath } from '../path-owner.js';
import { Refusal } from '../http/refusal.js';
import { asRefusal, refusalAnswer } from '../http/refusal-answers.js';
import { answerForwardAuth } from '../routes/forward-auth.js';
import { senderOf } from '../session/authentication.js';
import type { Runtime } from '../runtime.js';
import { nextRequestId, upstreamRequestHead } from './request-head.js';
import { closeWithSession } from '../connection-lifetime.js';
import { requireWebSocketKey, joinWebSocket } from './websocket.js';
import { runCatching, whenFulfilled } from '../maybe-promise.js';

/**
 * Connects an admitted WebSocket handshake with the app; others are answered on the socket.
 *
 * @param webSocketClosers contains a function that closes this WebSocket while it is open
 */
export function upgradeToWebSocket(
  runtime: Runtime,
  inbound: IncomingMessage,
  socket: Duplex,
  firstBytes: Buffer,
  webSocketClosers: Set<() => void>,
): void {
  const id = nextRequestId();
  socket.on('error', () => socket.destroy());
  const answer = (each: Answer): void => {
    runtime.metrics.countRequest(each.status, 0);
    sendToSocket(socket, each);
  };
  const fail = (error: unknown): void =>
    answer(refusalAnswer(runtime.pages, asRefusal(runtime, id, error), id, inbound.headers));
  const joinAppOrAnswer = (
    request: CheckedRequest,
    key: string,
    decision: AccessDecision,
  ): void => {
    if (decision.kind === 'answer') {
      answer(decision.answer);
      return;
    }
    runtime.metrics.count('websockets_total');
    const closeWebSocket = joinWebSocket(
      runtime.pool,
      upstreamRequestHead(request, decision),
      key,
      socket,
      firstBytes,
      (status) => fail(new Refusal(status, 'The app could not be reached.')),
    );
    const release = closeWithSession(request, decision.authentication, 'websocket', closeWebSocket);
    webSocketClosers.add(closeWebSocket);
    socket.once('close', () => {
      release();
      webSocketClosers.delete(closeWebSocket);
    });
    runtime.log.info('websocket', {
      id,
      path: request.target.path,
      client: request.arrival.client,
      ...senderOf(decision.authentication),
    });
  };
  runCatching(() => {
    const request = checkRequest(runtime, id, inbound);
    const key = requireWebSocketKey(request, inbound);
    if (httpsRedirect(request) !== undefined)
      throw new Refusal(403, 'This host is served over https only.');
    if (isSidecarPath(request)) {
      if (!isForwardAuthPath(request.target, runtime.settings.apiPrefix))
        throw new Refusal(404, 'There is nothing at this path.');
      return whenFulfilled(answerForwardAuth(request), answer);
    }
    return whenFulfilled(decideAccess(request, 'websocket'), (decision) =>
      joinAppOrAnswer(request, key, decision),
    );
  }, fail);
}
