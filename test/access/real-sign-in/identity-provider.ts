import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createHttpServer } from '../../../services/common/http-server.js';
import { openDatabase } from '../../../services/common/database.js';
import { openIdentityStore } from '../../../sandbox/identity-provider/identity-store.js';
import { peopleAndApplications } from '../../../sandbox/identity-provider/people-and-applications.js';
import { createOidcProvider } from '../../../sandbox/identity-provider/provider.js';
import { registerIdentityProviderRoutes } from '../../../sandbox/identity-provider/routes.js';
import { loadOrCreateSigningKey } from '../../../sandbox/identity-provider/signing-key.js';
import {
  issuerOf,
  type IdentityProviderContext,
} from '../../../sandbox/identity-provider/context.js';
import { createSettings } from '../../../sandbox/settings.js';
import pino from 'pino';

/** The sandbox's identity provider on a port of its own, over whichever directory is at hand. */
export interface RunningIdentityProvider {
  readonly origin: string;
  readonly issuer: string;
  /** Sets the directory that it asks from now on. */
  setDirectory(directory: FastifyInstance): void;
  close(): Promise<void>;
}

/** The secret that it takes for every application's. */
export const anySecret = 'the-secret-of-the-application';

/** Starts the identity provider. */
export async function startIdentityProvider(): Promise<RunningIdentityProvider> {
  const app = createHttpServer({ logger: pino({ level: 'silent' }) });
  let directory: FastifyInstance | undefined;
  // its address is known once it listens, and its routes are needed before
  const portFinder = createHttpServer({ logger: pino({ level: 'silent' }) });
  await portFinder.listen({ host: '127.0.0.1', port: 0 });
  const { port } = portFinder.server.address() as AddressInfo;
  await portFinder.close();
  const origin = `http://127.0.0.1:${String(port)}`;
  const database = await openDatabase('memory:');
  const context: IdentityProviderContext = {
    origin,
    settings: createSettings(port),
    key: await loadOrCreateSigningKey(undefined),
    directory: peopleAndApplications(async <T>(path: string) => {
      const answer = await directory?.inject({ url: `/v1.0${path}` });
      if (answer === undefined || answer.statusCode === 404) return undefined;
      if (answer.statusCode >= 300)
        throw new Error(`the directory answered ${String(answer.statusCode)}: ${answer.body}`);
      return answer.json<T>();
    }),
    checkSecret: (_appId, secret) => Promise.resolve(secret === anySecret),
  };
  const failures: Error[] = [];
  const provider = await createOidcProvider(context, await openIdentityStore(database), (error) =>
    failures.push(error),
  );
  registerIdentityProviderRoutes(app, context, () => Promise.resolve(provider));
  await app.listen({ host: '127.0.0.1', port });
  return {
    origin,
    issuer: issuerOf(context),
    setDirectory: (next) => void (directory = next),
    async close() {
      await app.close();
      await database.close();
      if (failures[0] !== undefined) throw failures[0];
    },
  };
}
