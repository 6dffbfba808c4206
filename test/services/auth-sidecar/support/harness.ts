import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type RunningSidecar,
  type SidecarOptions,
  startSidecar,
} from '../../../../services/auth-sidecar/index.js';
import { browser, CookieJar, type RawAnswer, request } from './raw-client.js';
import type { TestIdentityProvider } from './identity-provider.js';

/** A sidecar under test. */
export interface SidecarUnderTest extends RunningSidecar {
  readonly directory: string;
  /** Writes another configuration, without reloading. */
  write(config: unknown): void;
}

/** What differs from the usual start. */
export interface StartShape {
  readonly config: unknown;
  /** @default none: a sidecar that answers for another proxy */
  readonly upstream?: string;
  readonly endpoints?: unknown;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly options?: Partial<SidecarOptions>;
}

/** Starts a sidecar in this process, with files in a directory of its own. */
export async function startUnderTest({
  config,
  upstream,
  endpoints,
  secrets = {},
  options = {},
}: StartShape): Promise<SidecarUnderTest> {
  const directory = mkdtempSync(join(tmpdir(), 'sidecar-test-'));
  const file = join(directory, 'auth.json');
  const write = (content: unknown): void => writeFileSync(file, JSON.stringify(content));
  write(config);
  for (const [name, value] of Object.entries({
    'directory-secret': 'client-secret-of-the-app',
    ...secrets,
  }))
    writeFileSync(join(directory, name), value);
  if (endpoints !== undefined)
    writeFileSync(join(directory, 'endpoints.json'), JSON.stringify(endpoints));
  const sidecar = await startSidecar({
    config: file,
    ...(upstream !== undefined && { upstream }),
    listen: '127.0.0.1:0',
    trustedProxies: [],
    publicOrigins: [],
    dialect: 'neutral',
    workers: 1,
    logLevel: 'silent',
    secrets: directory,
    ...(endpoints !== undefined && { endpoints: join(directory, 'endpoints.json') }),
    tokenStore: 'memory:',
    sessionCache: 1000,
    drainSeconds: 1,
    ...options,
  });
  return {
    ...sidecar,
    directory,
    write,
    stop: async () => {
      await sidecar.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A configuration with the directory provider at a test provider. */
export function directoryConfig(
  idp: TestIdentityProvider,
  more: Record<string, unknown> = {},
  directory: Record<string, unknown> = {},
): unknown {
  return {
    identityProviders: {
      azureActiveDirectory: {
        registration: {
          clientId: idp.clientId,
          clientSecretSettingName: 'directory-secret',
          openIdIssuer: idp.url,
        },
        ...directory,
      },
    },
    ...more,
  };
}

/**
 * Signs in by the server flow, as a browser would.
 *
 * @returns the last answer, which lands, and the cookies
 */
export async function signIn(
  sidecar: { readonly url: string },
  idp: TestIdentityProvider,
  path = '/.auth/login/directory',
  jar = new CookieJar(),
): Promise<{
  readonly jar: CookieJar;
  readonly callbackAnswer: RawAnswer;
  readonly callback: string;
}> {
  const loginResponse = await request(sidecar.url, {
    path,
    headers: { ...browser, ...cookie(jar) },
  });
  jar.take(loginResponse);
  const callback = idp.authorize(new URL(loginResponse.headers['location']?.[0] ?? ''));
  const { pathname, search } = new URL(callback);
  const callbackAnswer = await request(sidecar.url, {
    path: pathname + search,
    headers: { ...browser, ...cookie(jar) },
  });
  jar.take(callbackAnswer);
  return { jar, callbackAnswer, callback: pathname + search };
}

/** The header of a jar's cookies; none when it is empty. */
export function cookie(jar: CookieJar): { Cookie?: string } {
  return jar.header === '' ? {} : { Cookie: jar.header };
}
