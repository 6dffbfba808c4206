import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startNginxProcess, nginxProxyConfig } from './plain-peers.js';
import {
  freePort,
  type Testbed,
  waitUntilListening,
  spawnOnCore,
  type Peer,
  proxyCore,
} from './testbed.js';

/** Flags of Node for the sidecar, such as `--min-semi-space-size=16`. */
const flags = (process.env['BENCH_NODE_FLAGS'] ?? '').split(' ').filter(Boolean);

/** The default of `--session-cache`: how many decrypted sessions a sidecar keeps. */
export const sessionCacheEntries = '10000';

/**
 * The sidecar as users start it, with token store, access log, metrics and timeouts.
 *
 * @param sessionCache 0: every request decrypts and verifies its cookie.
 * @param moreFlags further flags
 */
export async function startSidecarPeer(
  testbed: Testbed,
  name: string,
  sessionCache: string,
  moreFlags: readonly string[] = [],
  core = proxyCore,
): Promise<Peer> {
  const port = await freePort();
  const config = join(testbed.directory, 'auth.json');
  const registration = {
    clientId: testbed.clientId,
    clientSecretSettingName: 'bench-secret',
    openIdIssuer: testbed.issuer,
  };
  writeFileSync(
    config,
    JSON.stringify({
      login: { tokenStore: { enabled: true } },
      httpSettings: { forwardProxy: { convention: 'Standard' } },
      identityProviders: { azureActiveDirectory: { registration } },
    }),
  );
  const secrets = join(testbed.directory, 'secrets');
  mkdirSync(secrets, { recursive: true });
  writeFileSync(join(secrets, 'bench-secret'), testbed.clientSecret);
  const log = join(testbed.directory, `sidecar-${port}.log`);
  const args = [
    'sidecar',
    '--config',
    config,
    '--secrets',
    secrets,
    '--token-store',
    `sqlite:${join(testbed.directory, `store-${port}.db`)}`,
    ...(moreFlags.includes('--forward-auth')
      ? []
      : ['--upstream', `http://127.0.0.1:${testbed.originPort}`]),
    '--listen',
    `127.0.0.1:${port}`,
    '--admin-listen',
    '127.0.0.1:0',
    '--session-cache',
    sessionCache,
    ...moreFlags,
  ];
  const proxy = spawn(
    'sh',
    [
      '-c',
      'log=$1; shift; exec "$@" 2>"$log"',
      'sh',
      log,
      'taskset',
      '-c',
      core,
      process.execPath,
      ...flags,
      testbed.cli,
      ...args,
    ],
    { stdio: 'ignore' },
  );
  await waitUntilListening(port);
  return { name, url: `http://127.0.0.1:${port}`, processes: [proxy] };
}

/** A bare proxy of the same design, which shows the cost of Node itself. */
export async function startBareProxy(testbed: Testbed): Promise<Peer> {
  const port = await freePort();
  const proxy = spawnOnCore(proxyCore, process.execPath, [
    join(__dirname, 'floor.js'),
    String(port),
    String(testbed.originPort),
  ]);
  await waitUntilListening(port);
  return {
    name: 'floor: bare node:http proxy',
    url: `http://127.0.0.1:${port}`,
    processes: [proxy],
  };
}

/** Node's server with nothing behind it but a client to the app, the sidecar's or pure undici. */
export async function startClientProxy(
  testbed: Testbed,
  kind: 'sidecar' | 'undici',
): Promise<Peer> {
  const port = await freePort();
  const proxy = spawnOnCore(proxyCore, process.execPath, [
    join(__dirname, 'client-proxies.js'),
    kind,
    String(port),
    String(testbed.originPort),
  ]);
  await waitUntilListening(port);
  return { name: `node:http and ${kind}`, url: `http://127.0.0.1:${port}`, processes: [proxy] };
}

/**
 * nginx with a Node auth server for every request.
 *
 * @param cookieKey hex, the key of the cookie that the auth server decrypts
 */
export async function startNginxAskingNode(testbed: Testbed, cookieKey: string): Promise<Peer> {
  const [port, authPort] = [await freePort(), await freePort()];
  const auth = spawnOnCore(proxyCore, process.execPath, [
    join(__dirname, 'auth-server.js'),
    String(authPort),
    cookieKey,
  ]);
  await waitUntilListening(authPort);
  const authUpstream = `upstream auth { server 127.0.0.1:${authPort}; keepalive 128; keepalive_requests 1000000; }`;
  const authDirectives =
    'auth_request /verify; auth_request_set $who $upstream_http_x_user; proxy_set_header X-User $who;';
  const proxy = await startNginxProcess(
    testbed,
    'auth-request',
    port,
    proxyCore,
    nginxProxyConfig(port, testbed.originPort, authUpstream, authDirectives),
  );
  return {
    name: 'nginx auth_request + node auth server',
    url: `http://127.0.0.1:${port}`,
    processes: [proxy, auth],
  };
}
