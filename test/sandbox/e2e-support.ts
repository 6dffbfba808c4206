import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { fetchTrusting } from '../../clients/common/index.js';
import { runCliWithTestEnvironment } from '../support/run-cli.js';
import { waitUntil } from '../support/wait-until.js';

/** The object ids of the people in the seed. */
export const people = {
  ada: '0a2b1f6e-5d3c-4b7a-9e11-1d2c3b4a5f60',
  grace: '1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071',
};

const seed = `users:
  - { id: ${people.ada}, userPrincipalName: ada@contoso.example, displayName: Ada Lovelace, mailNickname: ada, department: Retail, accountEnabled: true }
  - { id: ${people.grace}, userPrincipalName: grace@contoso.example, displayName: Grace Hopper, mailNickname: grace, department: Operations, accountEnabled: true }
`;

/** The settings file of a sandbox, as far as tests read it. */
export interface TestSandboxSettings {
  readonly port: number;
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly adminToken: string;
}

/** A sandbox in a folder of its own, started by `castellan sandbox start`. */
export interface TestSandbox {
  readonly folder: string;
  readonly settings: TestSandboxSettings;
  readonly origin: string;
  readonly ca: string;
  /**
   * Sends a request to the sandbox's port, whatever the host of the URL: not every resolver knows
   * the names below `localhost`.
   */
  send(
    method: string,
    url: string,
    options?: { headers?: Record<string, string>; body?: unknown },
  ): Promise<Answer>;
  /** Sends a JSON request to a service, with the token of Terraform's application. */
  api(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Requests a token of Terraform's application. @param formFields replace or extend the usual ones */
  token(scope: string, formFields?: Record<string, string>): Promise<string>;
  stop(): Promise<void>;
}

/** An answer with its body read. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers of any shape
  readonly body: any;
}

/** Creates a folder with a seed, and with a copy of `filesFolder`. @returns its path */
export function newProject(filesFolder?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-sandbox-'));
  writeFileSync(join(folder, 'seed.yaml'), seed);
  if (filesFolder !== undefined) cpSync(filesFolder, folder, { recursive: true });
  return folder;
}

/** Starts a sandbox in a folder and connects to it. */
export async function startSandbox(folder = newProject()): Promise<TestSandbox> {
  const started = await runCliWithTestEnvironment(['sandbox', 'start', '--seed', 'seed.yaml'], {
    cwd: folder,
  });
  if (started.exitCode !== 0) throw new Error(`the sandbox did not start: ${started.stderr}`);
  return connectToSandbox(folder);
}

/** Connects to the sandbox that runs in a folder. */
export function connectToSandbox(folder: string): TestSandbox {
  const settings = JSON.parse(
    readFileSync(join(folder, '.castellan/settings.json'), 'utf8'),
  ) as TestSandboxSettings;
  const ca = readFileSync(join(folder, '.castellan/ca.pem'), 'utf8');
  const origin = `https://localhost:${settings.port}`;
  const fetchTrusted = fetchTrusting(ca);
  const token = async (scope: string, formFields: Record<string, string> = {}): Promise<string> => {
    const { clientId, clientSecret, tenantId } = settings;
    const form = {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      scope,
      ...formFields,
    };
    const answer = await fetchTrusted(`${origin}/${tenantId}/oauth2/v2.0/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const { access_token: accessToken, error_description: reason } = (await answer.json()) as {
      access_token?: string;
      error_description?: string;
    };
    if (accessToken === undefined) throw new Error(`no token: ${reason ?? answer.status}`);
    return accessToken;
  };
  const send: TestSandbox['send'] = (method, url, options = {}) =>
    sendTo(settings.port, ca, method, url, options);
  return {
    folder,
    settings,
    origin,
    ca,
    send,
    token,
    api: async (method, path, body) =>
      send(method, `${origin}${path}`, {
        headers: { authorization: `Bearer ${await token(`${origin}/.default`)}` },
        ...omitUndefined({ body }),
      }),
    async stop() {
      await runCliWithTestEnvironment(['sandbox', 'stop'], { cwd: folder });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function sendTo(
  port: number,
  ca: string,
  method: string,
  url: string,
  options: { headers?: Record<string, string>; body?: unknown },
): Promise<Answer> {
  const { hostname, pathname, search, host } = new URL(url);
  const body =
    options.body === undefined
      ? undefined
      : typeof options.body === 'string'
        ? options.body
        : JSON.stringify(options.body);
  const contentType: Record<string, string> =
    typeof options.body === 'object' ? { 'content-type': 'application/json' } : {};
  const contentLength: Record<string, string> =
    body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((done, fail) => {
    const request = httpsRequest(
      {
        host: '127.0.0.1',
        port,
        servername: hostname,
        ca,
        method,
        path: `${pathname}${search}`,
        headers: { host, ...contentType, ...contentLength, ...options.headers },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.once('error', fail);
        answer.once('end', () =>
          done({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text,
            body: parseJson(text),
          }),
        );
      },
    );
    request.once('error', fail);
    request.end(body);
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // a page: tests read its text
  }
}

/** Hides the container engine from the tests of a file, so that pages replace the images of apps. */
export function withoutContainers(): void {
  beforeAll(() => void vi.stubEnv('DOCKER_HOST', 'unix:///nowhere/docker.sock'));
  afterAll(() => void vi.unstubAllEnvs());
}

/** Declares an app as Terraform would, with its resource group and environment. @returns its id */
export function declareApp(
  sandbox: TestSandbox,
  name: string,
  secrets: readonly object[] = [],
  scale: object = {},
): Promise<string> {
  const containers = [{ name: 'c', image: 'img:1', resources: { cpu: 0.25, memory: '0.5Gi' } }];
  return putApp(sandbox, name, { template: { containers, scale }, configuration: { secrets } });
}

/** Declares an app with a given template and configuration. @returns its id */
export async function putApp(
  sandbox: TestSandbox,
  name: string,
  { template, configuration = {} }: { readonly template: object; readonly configuration?: object },
): Promise<string> {
  const group = `/subscriptions/${sandbox.settings.subscriptionId}/resourceGroups/rg`;
  const environment = `${group}/providers/Microsoft.App/managedEnvironments/env`;
  const app = `${group}/providers/Microsoft.App/containerApps/${name}`;
  await sandbox.api('PUT', `${group}?api-version=2023-07-01`, { location: 'westeurope' });
  await sandbox.api('PUT', `${environment}?api-version=2025-07-01`, {
    location: 'westeurope',
    properties: {},
  });
  const answer = await sandbox.api('PUT', `${app}?api-version=2025-07-01`, {
    location: 'westeurope',
    properties: {
      managedEnvironmentId: environment,
      configuration: { ingress: { external: true, targetPort: 8080 }, ...configuration },
      template,
    },
  });
  if (answer.status >= 300) throw new Error(`the app was refused: ${answer.text}`);
  return app;
}

/** Registers an application by which people sign in to an app. @returns its client id and a secret */
export async function registerApplication(
  sandbox: TestSandbox,
  app: string,
): Promise<{ appId: string; secret: string }> {
  const { body } = await sandbox.api('POST', '/v1.0/applications', {
    displayName: `Sign-in of ${app}`,
    groupMembershipClaims: 'All',
    web: {
      redirectUris: [
        `https://${app}.localhost:${sandbox.settings.port}/.auth/login/directory/callback`,
      ],
      implicitGrantSettings: { enableIdTokenIssuance: true },
    },
  });
  await sandbox.api('POST', '/v1.0/servicePrincipals', { appId: body.appId });
  const password = await sandbox.api('POST', `/v1.0/applications/${body.id}/addPassword`, {
    passwordCredential: { displayName: 'sign-in' },
  });
  return { appId: body.appId, secret: password.body.secretText };
}

/**
 * Declares an app behind a sign-in layer, with the directory as its identity provider, and waits
 * until it answers.
 */
export async function declareSignInApp(
  sandbox: TestSandbox,
  name: string,
  scale: object = {},
): Promise<{ readonly app: string; readonly appId: string }> {
  const { appId, secret } = await registerApplication(sandbox, name);
  const app = await declareApp(sandbox, name, [{ name: 'directory-secret', value: secret }], scale);
  await sandbox.api(
    'PUT',
    `${app}/authConfigs/current?api-version=2025-07-01`,
    authSettings(appId),
  );
  await waitUntil('the sign-in layer', async () => {
    const url = `https://${name}.localhost:${sandbox.settings.port}/healthz`;
    return (await sandbox.send('GET', url)).status === 200 ? true : undefined;
  });
  return { app, appId };
}

/** Sign-in settings with the directory as the provider. */
export function authSettings(
  appId: string,
  { allowedGroups }: { allowedGroups?: readonly string[] } = {},
): object {
  return {
    properties: {
      platform: { enabled: true },
      globalValidation: {
        unauthenticatedClientAction: 'RedirectToLoginPage',
        redirectToProvider: 'azureactivedirectory',
        excludedPaths: ['/healthz'],
      },
      identityProviders: {
        azureActiveDirectory: {
          enabled: true,
          registration: {
            clientId: appId,
            clientSecretSettingName: 'directory-secret',
            openIdIssuer: 'https://login.microsoftonline.com/common/v2.0',
          },
          ...(allowedGroups !== undefined && {
            validation: { jwtClaimChecks: { allowedGroups } },
          }),
        },
      },
      login: { tokenStore: { enabled: true } },
    },
  };
}
