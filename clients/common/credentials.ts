import { execFile } from 'node:child_process';
import { unreachableReason } from '../../core/errors/fetch-failure.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { isLoopback } from '../../core/values/loopback.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import {
  type AccessToken,
  cacheTokens,
  staticToken,
  type TokenProvider,
} from './token-provider.js';
import { type Fetch, fetchTrusting } from './fetch.js';
import { failureCode } from './retry.js';

/** How long a request for a token may take, in milliseconds. */
const tokenTimeoutMs = 30_000;

/**
 * The resource of a scope, as version 1 endpoints and the az CLI want it: the scope without
 * `/.default`.
 */
function resourceOf(scope: string): string {
  return scope.replace(/\/\.default$/, '');
}

/**
 * The token in a token endpoint's answer: `access_token` with `expires_in` (seconds from now) or
 * `expires_on` (seconds of the epoch).
 *
 * @param requester the client and endpoint to name in errors; never the secret.
 * @throws CAS5004 for a refusal, with the endpoint's `error` and `error_description`.
 */
async function readTokenAnswer(answer: Response, requester: string): Promise<AccessToken> {
  let body: Record<string, unknown>;
  try {
    body = (await answer.json()) as Record<string, unknown>;
  } catch (cause) {
    throw new CastellanError('CAS5004', `${requester}: the answer (${answer.status}) is not JSON`, {
      cause,
    });
  }
  const token = body['access_token'];
  if (!answer.ok || typeof token !== 'string' || token === '') {
    const reason = [body['error'], body['error_description'] ?? body['message']]
      .filter((word) => typeof word === 'string')
      .join(': ');
    throw new CastellanError(
      'CAS5004',
      `${requester}: ${answer.status} ${reason || 'no access_token in the answer'}`,
    );
  }
  const seconds = Number(body['expires_on']);
  if (Number.isFinite(seconds) && seconds > 0)
    return { token, expiresAt: new Date(seconds * 1000) };
  const lifetime = Number(body['expires_in']);
  return Number.isFinite(lifetime) && lifetime > 0
    ? { token, expiresAt: new Date(Date.now() + lifetime * 1000) }
    : { token };
}

/** An application with a secret. */
export interface ClientSecretOptions {
  /** The tenant that issues the token: its id or one of its domains. */
  readonly tenantId: string;
  /** The client id of the application. */
  readonly clientId: string;
  /** The secret; messages and logs never hold it. */
  readonly clientSecret: string;
  /** @default 'https://login.microsoftonline.com' */
  readonly authority?: string;
  /** Replaces the machine's `fetch`, as tests do. */
  readonly fetch?: Fetch;
  /** Certificate(s) of a private authority in PEM. */
  readonly ca?: string;
}

/**
 * Tokens by client id and secret: `POST {authority}/{tenant}/oauth2/v2.0/token`, cached until
 * shortly before they expire.
 */
export function clientSecretCredential(options: ClientSecretOptions): TokenProvider {
  const authority = (options.authority ?? 'https://login.microsoftonline.com').replace(/\/+$/, '');
  const send =
    options.fetch ??
    (options.ca === undefined
      ? (url: string, init: RequestInit) => fetch(url, init)
      : fetchTrusting(options.ca));
  const url = `${authority}/${encodeURIComponent(options.tenantId)}/oauth2/v2.0/token`;
  return cacheTokens({
    async getToken(scope) {
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: options.clientId,
        client_secret: options.clientSecret,
        scope,
      });
      let answer: Response;
      try {
        answer = await send(url, {
          method: 'POST',
          body,
          redirect: 'error',
          signal: AbortSignal.timeout(tokenTimeoutMs),
        });
      } catch (cause) {
        throw new CastellanError(
          'CAS5004',
          `${url} can't be reached for a token of client ${options.clientId}: ${unreachableReason(cause, url)}`,
          { cause },
        );
      }
      return readTokenAnswer(answer, `client ${options.clientId} at ${url}`);
    },
  });
}

/** A managed identity of the container platform, configured by its environment variables. */
export interface ManagedIdentityOptions {
  /** Provides `IDENTITY_ENDPOINT` and `IDENTITY_HEADER`. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A user-assigned identity. @default the system-assigned one */
  readonly clientId?: string;
  /** Replaces the machine's `fetch`, as tests do. */
  readonly fetch?: Fetch;
}

/**
 * Tokens of a managed identity: `GET $IDENTITY_ENDPOINT?api-version=2019-08-01&resource=…` with
 * `X-IDENTITY-HEADER`.
 *
 * @throws CAS5004 where the environment names no endpoint.
 */
export function managedIdentityCredential(options: ManagedIdentityOptions = {}): TokenProvider {
  const env = options.env ?? process.env;
  const send: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  return cacheTokens({
    async getToken(scope) {
      const { IDENTITY_ENDPOINT: endpoint = '', IDENTITY_HEADER: header = '' } = env;
      if (endpoint === '' || header === '')
        throw new CastellanError(
          'CAS5004',
          'no managed identity here: IDENTITY_ENDPOINT and IDENTITY_HEADER are not set',
        );
      const url = new URL(endpoint);
      url.searchParams.set('api-version', '2019-08-01');
      url.searchParams.set('resource', resourceOf(scope));
      if (options.clientId !== undefined) url.searchParams.set('client_id', options.clientId);
      let answer: Response;
      try {
        const headers = { 'X-IDENTITY-HEADER': header, Metadata: 'true' };
        answer = await send(url.href, {
          method: 'GET',
          headers,
          redirect: 'error',
          signal: AbortSignal.timeout(tokenTimeoutMs),
        });
      } catch (cause) {
        throw new CastellanError(
          'CAS5004',
          `the managed identity endpoint ${url.origin} can't be reached`,
          { cause },
        );
      }
      return readTokenAnswer(answer, 'the managed identity endpoint');
    },
  });
}

/** Runs a program and returns its output; tests inject their own. */
type RunProgram = (file: string, args: readonly string[]) => Promise<string>;

/** Options of {@link azureCliCredential}. */
export interface AzureCliOptions {
  /** @default the CLI's default tenant */
  readonly tenantId?: string;
  /** Replaces the start of `az`, as tests do. */
  readonly run?: RunProgram;
}

/**
 * Tokens of the person signed in with `az login`:
 * `az account get-access-token --output json --resource …`.
 */
export function azureCliCredential(options: AzureCliOptions = {}): TokenProvider {
  const run = options.run ?? runProgram;
  return cacheTokens({
    async getToken(scope) {
      const args = [
        'account',
        'get-access-token',
        '--output',
        'json',
        '--resource',
        resourceOf(scope),
      ];
      if (options.tenantId !== undefined) args.push('--tenant', options.tenantId);
      let output: string;
      try {
        output = await run('az', args);
      } catch (cause) {
        const reason =
          failureCode(cause) === 'ENOENT'
            ? 'it is not installed'
            : firstLine((cause as Error).message);
        throw new CastellanError('CAS5004', `az gave no token: ${reason}`, { cause });
      }
      return parseAzureCliToken(output);
    },
  });
}

function parseAzureCliToken(output: string): AccessToken {
  let answer: { accessToken?: unknown; expires_on?: unknown; expiresOn?: unknown };
  try {
    answer = JSON.parse(output) as typeof answer;
  } catch {
    // The output itself is not part of the message: it may hold a token.
    throw new CastellanError('CAS5004', 'az printed something that is not JSON');
  }
  if (typeof answer.accessToken !== 'string')
    throw new CastellanError('CAS5004', "az printed JSON without 'accessToken'");
  const seconds = Number(answer.expires_on);
  if (Number.isFinite(seconds) && seconds > 0)
    return { token: answer.accessToken, expiresAt: new Date(seconds * 1000) };
  const date = typeof answer.expiresOn === 'string' ? new Date(answer.expiresOn) : undefined;
  return date && !Number.isNaN(date.getTime())
    ? { token: answer.accessToken, expiresAt: date }
    : { token: answer.accessToken };
}

const runProgram: RunProgram = (file, args) =>
  new Promise((done, fail) => {
    execFile(file, args, { timeout: 60_000, maxBuffer: 1024 * 1024 }, (error, stdout, stderr) => {
      if (error) fail(new Error(stderr.trim() || error.message, { cause: error }));
      else done(stdout);
    });
  });

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The value of an environment variable; an empty one counts as unset. */
export function environmentVariable(env: EnvironmentVariables, name: string): string | undefined {
  return env[name] === '' ? undefined : env[name];
}

/** The value of `AZURE_NAME`, else of `ARM_NAME`. */
export function azureEnvironmentVariable(
  env: EnvironmentVariables,
  name: string,
): string | undefined {
  return environmentVariable(env, `AZURE_${name}`) ?? environmentVariable(env, `ARM_${name}`);
}

/** The inputs that select a credential. */
export interface EnvironmentCredentialOptions {
  /** The environment variables, usually `process.env`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The service's address. A loopback address over plain HTTP needs no token. */
  readonly endpoint: string;
  /** Certificate(s) of a private authority in PEM, for the token endpoint. */
  readonly ca?: string;
}

/**
 * Picks a credential from the environment, the first of: `CASTELLAN_TOKEN`; a client secret (`ARM_`
 * or `AZURE_` with `CLIENT_ID`, `CLIENT_SECRET`, `TENANT_ID`); a managed identity
 * (`IDENTITY_ENDPOINT`, `IDENTITY_HEADER`); none for loopback over plain HTTP; the sign-in of the
 * az CLI.
 */
export function credentialFromEnvironment({
  env,
  endpoint,
  ca,
}: EnvironmentCredentialOptions): TokenProvider | undefined {
  const read = (name: string): string | undefined => environmentVariable(env, name);
  const token = read('CASTELLAN_TOKEN');
  if (token !== undefined) return staticToken(token);
  const [clientId, clientSecret, tenantId] = [
    azureEnvironmentVariable(env, 'CLIENT_ID'),
    azureEnvironmentVariable(env, 'CLIENT_SECRET'),
    azureEnvironmentVariable(env, 'TENANT_ID'),
  ];
  if (clientId !== undefined && clientSecret !== undefined && tenantId !== undefined) {
    const authority = read('AZURE_AUTHORITY_HOST') ?? read('ARM_ACTIVE_DIRECTORY_AUTHORITY_HOST');
    return clientSecretCredential({
      tenantId,
      clientId,
      clientSecret,
      ...omitUndefined({ authority, ca }),
    });
  }
  if (read('IDENTITY_ENDPOINT') !== undefined && read('IDENTITY_HEADER') !== undefined)
    return managedIdentityCredential({ env });
  const { protocol, hostname } = new URL(endpoint);
  if (protocol === 'http:' && isLoopback(hostname)) return undefined;
  return azureCliCredential();
}
