import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startNginxProcess, nginxProxyConfig } from './plain-peers.js';
import {
  type AuthPeer,
  freePort,
  type Testbed,
  waitUntilListening,
  spawnOnCore,
  type Peer,
  proxyCore,
} from './testbed.js';
import { sessionCacheEntries, startSidecarPeer } from './node-peers.js';

/** `go install github.com/oauth2-proxy/oauth2-proxy/v7@latest` puts it there. */
const program = process.env['OAUTH2_PROXY'] ?? `${process.env['HOME'] ?? ''}/go/bin/oauth2-proxy`;

/**
 * What oauth2-proxy does beside admitting: the least, or what the sidecar does, too, which is a line
 * in a log for each request (as by default), and the person and the tokens in headers.
 */
type Duties = 'least' | 'equal';

/** oauth2-proxy with its session in a cookie. @param origin where browsers reach it */
async function startOAuth2Proxy(
  testbed: Testbed,
  port: number,
  origin: string,
  duties: Duties,
): Promise<Peer> {
  if (!existsSync(program)) throw new Error(`oauth2-proxy isn't at ${program}: set OAUTH2_PROXY`);
  const flags = [
    `--http-address=127.0.0.1:${port}`,
    '--provider=oidc',
    '--email-domain=*',
    `--oidc-issuer-url=${testbed.issuer}`,
    `--redirect-url=${origin}/oauth2/callback`,
    `--client-id=${testbed.clientId}`,
    `--client-secret=${testbed.clientSecret}`,
    '--cookie-secret=0123456789abcdef0123456789abcdef',
    '--cookie-secure=false',
    `--upstream=http://127.0.0.1:${testbed.originPort}`,
    '--reverse-proxy=true',
    '--skip-provider-button=true',
    '--insecure-oidc-allow-unverified-email=true',
    '--auth-logging=false',
    '--standard-logging=false',
    ...(duties === 'least'
      ? ['--request-logging=false']
      : [
          `--logging-filename=${join(testbed.directory, `oauth2-proxy-${port}.log`)}`,
          '--set-xauthrequest=true',
          '--set-authorization-header=true',
          '--pass-authorization-header=true',
          '--pass-access-token=true',
        ]),
  ];
  const proxy = spawnOnCore(proxyCore, program, flags);
  await waitUntilListening(port);
  return {
    name: `oauth2-proxy-${duties}`,
    url: `http://127.0.0.1:${port}`,
    processes: [proxy],
  };
}

/** oauth2-proxy in front of the app. */
export async function startOAuth2ProxyInFront(testbed: Testbed, duties: Duties): Promise<AuthPeer> {
  const port = await freePort();
  const peer = await startOAuth2Proxy(testbed, port, `http://127.0.0.1:${port}`, duties);
  return { ...peer, signInPath: '/oauth2/start?rd=/small' };
}

/** nginx that asks oauth2-proxy about each request. */
export async function startNginxAskingOAuth2Proxy(
  testbed: Testbed,
  duties: Duties,
): Promise<AuthPeer> {
  const [port, authPort] = [await freePort(), await freePort()];
  const auth = await startOAuth2Proxy(testbed, authPort, `http://127.0.0.1:${port}`, duties);
  const peer = await startNginxAsking(testbed, port, auth, ['/oauth2/', '/oauth2/auth']);
  return { ...peer, signInPath: '/oauth2/start?rd=/small' };
}

/** nginx that asks the sidecar about each request. */
export async function startNginxAskingSidecar(testbed: Testbed): Promise<AuthPeer> {
  const port = await freePort();
  const auth = await startSidecarPeer(testbed, 'sidecar', sessionCacheEntries, [
    '--forward-auth',
    '--public-origin',
    `http://127.0.0.1:${port}`,
    '--trusted-proxies',
    '127.0.0.1',
  ]);
  const peer = await startNginxAsking(testbed, port, auth, ['/.auth/', '/.auth/check']);
  return { ...peer, signInPath: '/.auth/login/directory?post_login_redirect_uri=/small' };
}

/** nginx that asks a peer about each request. @param paths those of the peer, and its check */
async function startNginxAsking(
  testbed: Testbed,
  port: number,
  auth: Peer,
  paths: readonly [ownPath: string, checkPath: string],
): Promise<Peer> {
  const configuration = nginxAskingConfig(testbed, port, Number(new URL(auth.url).port), ...paths);
  const name = `asks-${auth.name}`;
  const proxy = await startNginxProcess(testbed, name, port, proxyCore, configuration);
  return {
    name: `nginx auth_request + ${auth.name}`,
    url: `http://127.0.0.1:${port}`,
    processes: [proxy, ...auth.processes],
  };
}

/** The configuration of a server that asks an auth server, and passes that server's own paths to it. */
function nginxAskingConfig(
  testbed: Testbed,
  port: number,
  authPort: number,
  ownPath: string,
  checkPath: string,
): string {
  const forwardDirectives =
    'proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Host $http_host; proxy_set_header X-Forwarded-Proto http; proxy_set_header X-Forwarded-Method $request_method; proxy_set_header X-Forwarded-Uri $request_uri; proxy_buffer_size 64k;';
  const noBodyDirectives = 'proxy_pass_request_body off; proxy_set_header Content-Length "";';
  const locations = `location ${ownPath} { proxy_pass http://auth; ${forwardDirectives} } location = /verify { internal; proxy_pass http://auth${checkPath}; ${forwardDirectives} ${noBodyDirectives} }`;
  return nginxProxyConfig(
    port,
    testbed.originPort,
    `upstream auth { server 127.0.0.1:${authPort}; keepalive 128; keepalive_requests 1000000; }`,
    'auth_request /verify;',
    locations,
  );
}
