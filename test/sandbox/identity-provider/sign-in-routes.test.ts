import pino from 'pino';
import { errors, type default as Provider } from 'oidc-provider';
import { createHttpServer } from '../../../services/common/http-server.js';
import { registerSignInRoutes } from '../../../sandbox/identity-provider/sign-in-routes.js';
import type { IdentityProviderContext } from '../../../sandbox/identity-provider/context.js';

async function statusOfSignIn(method: 'GET' | 'POST', error: Error): Promise<number> {
  const app = createHttpServer({ logger: pino({ level: 'silent' }) });
  const provider = { interactionDetails: () => Promise.reject(error) } as unknown as Provider;
  registerSignInRoutes(app, {} as IdentityProviderContext, () => Promise.resolve(provider));
  const { statusCode } = await app.inject({ method, url: '/tenant/sign-in/uid' });
  await app.close();
  return statusCode;
}

test.each(['GET', 'POST'] as const)(
  '%s of a sign-in that has ended says so; a failure of the store is not taken for that',
  async (method) => {
    expect(await statusOfSignIn(method, new errors.SessionNotFound('expired'))).toBe(400);
    expect(await statusOfSignIn(method, new Error('the disk is full'))).toBe(500);
  },
);
