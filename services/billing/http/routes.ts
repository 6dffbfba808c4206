import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { say, words } from '../../../core/dialect/dialect.js';
import type { Caller } from '../../common/caller.js';
import type { TokenRefusal } from '../../common/token-verifier.js';
import type { BillingRuntime } from '../runtime.js';
import { QuerySyntaxError } from '../query/syntax-error.js';
import { BillingError, syntaxProblem } from './errors.js';
import { listTransactions } from './list-transactions.js';

const cloudAudiences = ['https://management.azure.com', 'https://management.core.windows.net'];

const refusalCodes: Readonly<Record<TokenRefusal, string>> = {
  missing: 'AuthenticationFailed',
  malformed: 'InvalidAuthenticationToken',
  expired: 'ExpiredAuthenticationToken',
  invalid: 'InvalidAuthenticationToken',
  audience: 'InvalidAuthenticationTokenAudience',
};

const path = '/billingAccounts/:account/invoices/:invoice/transactions';

/** Adds the service's one operation to a scope: authenticated first, then throttled, then judged. */
export function addRoutes(scope: FastifyInstance, runtime: BillingRuntime): void {
  scope.addHook('onRequest', (_request, reply, done) => {
    const requestId = randomUUID();
    reply.header(say(words.requestIdHeader, runtime.dialect), requestId);
    if (runtime.dialect === 'azure') reply.header('x-ms-correlation-request-id', requestId);
    done();
  });
  scope.get<{ Params: { account: string; invoice: string } }>(path, async (request, reply) => {
    const caller = await authenticate(runtime, request);
    throttle(runtime, caller);
    requireScope(caller);
    const page = await listTransactions(runtime, {
      origin: originOf(request),
      path: request.url.replace(/[?#].*$/s, ''),
      account: request.params.account,
      invoice: request.params.invoice,
      query: new URL(request.url, 'http://host').searchParams,
    });
    return reply.header('content-type', 'application/json; charset=utf-8').send(page);
  });
  scope.setNotFoundHandler(async (request) => {
    await authenticate(runtime, request);
    throw new BillingError(404, 'NotFound', `There is no operation ${request.method} ${request.url.replace(/[?#].*$/s, '')}.`);
  });
  scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => answerError(error, request, reply));
}

async function authenticate(runtime: BillingRuntime, request: FastifyRequest): Promise<Caller> {
  const verification = await runtime.tokens.verify(request.headers.authorization, [originOf(request), ...cloudAudiences]);
  if ('caller' in verification) return verification.caller;
  throw new BillingError(401, refusalCodes[verification.refused], verification.reason);
}

function throttle(runtime: BillingRuntime, caller: Caller): void {
  const seconds = runtime.throttle.take(`${caller.tenantId}/${caller.objectId}/${caller.applicationId ?? ''}`, 'transactions');
  if (seconds === undefined) return;
  throw new BillingError(429, 'TooManyRequests', `Too many requests: wait ${seconds} seconds before sending more.`, {
    retryAfter: seconds,
  });
}

/** People act through `user_impersonation` (spec 002, "Authentication" 1); applications that carry scopes need it, too. */
function requireScope(caller: Caller): void {
  if (caller.kind === 'anyone' || caller.scopes.has('user_impersonation')) return;
  if (caller.kind === 'application' && caller.scopes.size === 0) return;
  throw new BillingError(403, 'AuthorizationFailed', 'The token does not have the scope user_impersonation.');
}

function originOf(request: FastifyRequest): string {
  return `${request.protocol}://${request.headers.host ?? request.hostname}`;
}

function answerError(error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error, request);
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
  if (problem.options.retryAfter !== undefined) reply.header('retry-after', String(problem.options.retryAfter));
  return reply.code(problem.status).send(problem.body());
}

function problemOf(error: Error & { statusCode?: number }, request: FastifyRequest): BillingError {
  if (error instanceof BillingError) return error;
  if (error instanceof QuerySyntaxError) return syntaxProblem(error);
  if (error.statusCode !== undefined && error.statusCode < 500) return new BillingError(error.statusCode, 'BadRequest', error.message);
  request.log.error({ err: error }, 'the request failed');
  return new BillingError(500, 'InternalServerError', 'The request failed unexpectedly.');
}
