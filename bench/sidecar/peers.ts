import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** A proxy under load: how it is started, and which processes count. */
export interface Peer {
  readonly name: string;
  readonly url: string;
  readonly processes: readonly ChildProcess[];
}

/** What all peers stand in front of and log in with. */
export interface Ground {
  readonly directory: string;
  readonly originPort: number;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly cli: string;
}

/** Everything under measure runs on this core; load and origin on the other. */
const proxyCore = '0';
export const loadCore = '1';

export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

export function onCore(core: string, command: string, args: readonly string[]): ChildProcess {
  return spawn('taskset', ['-c', core, command, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
}

export async function listening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const open = await new Promise<boolean>((done) => {
      const socket = net.connect(port, '127.0.0.1', () => done(true));
      socket.on('error', () => done(false)).on('connect', () => socket.destroy());
    });
    if (open) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`nothing listens on ${port}`);
}

const nginxFrame = (
  directory: string,
  name: string,
  http: string,
): string => `daemon off; worker_processes 1; pid ${directory}/${name}.pid; error_log ${directory}/${name}.log crit;
events { worker_connections 8192; }
http { access_log off; keepalive_requests 1000000; client_body_temp_path ${directory}/${name}-body; proxy_temp_path ${directory}/${name}-proxy; fastcgi_temp_path ${directory}/f; uwsgi_temp_path ${directory}/u; scgi_temp_path ${directory}/s; proxy_buffers 16 64k; proxy_buffer_size 64k;
${http} }
`;

async function nginx(ground: Ground, name: string, port: number, core: string, http: string): Promise<ChildProcess> {
  const file = join(ground.directory, `${name}.conf`);
  writeFileSync(file, nginxFrame(ground.directory, name, http));
  const process = onCore(core, 'nginx', ['-c', file]);
  await listening(port);
  return process;
}

/** The app behind all peers: 1 KB, and 1 MB at /large. */
export async function startOrigin(ground: Ground): Promise<ChildProcess> {
  const www = join(ground.directory, 'www');
  mkdirSync(www, { recursive: true });
  chmodSync(ground.directory, 0o755);
  writeFileSync(join(www, 'small'), 'x'.repeat(1024));
  writeFileSync(join(www, 'large'), 'x'.repeat(1024 * 1024));
  return nginx(
    ground,
    'origin',
    ground.originPort,
    loadCore,
    `open_file_cache max=10; sendfile on; server { listen 127.0.0.1:${ground.originPort} backlog=4096; root ${www}; }`,
  );
}

const nginxProxy = (port: number, origin: number, more = '', inside = ''): string =>
  `upstream app { server 127.0.0.1:${origin}; keepalive 128; keepalive_requests 1000000; } ${more}
server { listen 127.0.0.1:${port} backlog=4096; location / { ${inside} proxy_pass http://app; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host; } ${more === '' ? '' : 'location = /verify { internal; proxy_pass http://auth/verify; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass_request_body off; proxy_set_header Content-Length ""; }'} }`;

export async function startNginx(ground: Ground): Promise<Peer> {
  const port = await freePort();
  return {
    name: 'nginx, plain proxy',
    url: `http://127.0.0.1:${port}`,
    processes: [await nginx(ground, 'plain', port, proxyCore, nginxProxy(port, ground.originPort))],
  };
}

export async function startAuthRequest(ground: Ground, cookieKey: string): Promise<Peer> {
  const [port, authPort] = [await freePort(), await freePort()];
  const auth = onCore(proxyCore, process.execPath, [join(__dirname, 'auth-server.js'), String(authPort), cookieKey]);
  await listening(authPort);
  const more = `upstream auth { server 127.0.0.1:${authPort}; keepalive 128; keepalive_requests 1000000; }`;
  const inside = 'auth_request /verify; auth_request_set $who $upstream_http_x_user; proxy_set_header X-User $who;';
  const proxy = await nginx(ground, 'auth-request', port, proxyCore, nginxProxy(port, ground.originPort, more, inside));
  return { name: 'nginx auth_request + node auth server', url: `http://127.0.0.1:${port}`, processes: [proxy, auth] };
}

export async function startHaproxy(ground: Ground): Promise<Peer> {
  const port = await freePort();
  const file = join(ground.directory, 'haproxy.cfg');
  writeFileSync(
    file,
    `global\n nbthread 1\n maxconn 4000\ndefaults\n mode http\n timeout connect 5s\n timeout client 60s\n timeout server 60s\n http-reuse always\nfrontend f\n bind 127.0.0.1:${port} backlog 4096\n default_backend b\nbackend b\n server s 127.0.0.1:${ground.originPort}\n`,
  );
  const proxy = onCore(proxyCore, 'haproxy', ['-q', '-f', file]);
  await listening(port);
  return { name: 'haproxy, plain proxy', url: `http://127.0.0.1:${port}`, processes: [proxy] };
}

export async function startModAuthOpenIdc(ground: Ground): Promise<Peer> {
  const port = await freePort();
  const { directory } = ground;
  const file = join(directory, 'apache.conf');
  const modules = '/usr/lib/apache2/modules';
  const load = ['mpm_event', 'proxy', 'proxy_http', 'authn_core', 'authz_core', 'authz_user', 'auth_openidc', 'headers'].filter((name) =>
    existsSync(`${modules}/mod_${name}.so`),
  );
  writeFileSync(
    file,
    `${load.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n')}
ServerName localhost\nListen 127.0.0.1:${port}\nPidFile ${directory}/apache.pid\nErrorLog ${directory}/apache.log\nLogLevel crit\nMaxKeepAliveRequests 0\nKeepAliveTimeout 60\nServerRoot ${directory}\nDefaultRuntimeDir ${directory}\n
<IfModule mpm_event_module>\nStartServers 1\nServerLimit 2\nThreadsPerChild 64\nMaxRequestWorkers 128\n</IfModule>
OIDCProviderMetadataURL ${ground.issuer}/.well-known/openid-configuration
OIDCClientID ${ground.clientId}\nOIDCClientSecret ${ground.clientSecret}\nOIDCProviderTokenEndpointAuth client_secret_post
OIDCRedirectURI http://127.0.0.1:${port}/back\nOIDCCryptoPassphrase 0123456789abcdef0123456789abcdef\nOIDCSessionType client-cookie\nOIDCSessionInactivityTimeout 3600\nOIDCScope "openid"\nOIDCRemoteUserClaim sub\nOIDCUserInfoRefreshInterval 86400
<Location />\nAuthType openid-connect\nRequire valid-user\nProxyPass http://127.0.0.1:${ground.originPort}/ keepalive=On disablereuse=Off max=128\n</Location>
`,
  );
  const proxy = onCore(proxyCore, 'apache2', ['-DFOREGROUND', '-f', file]);
  await listening(port);
  return { name: 'apache2 + mod_auth_openidc, client cookie', url: `http://127.0.0.1:${port}`, processes: [proxy] };
}

export async function startSidecarPeer(ground: Ground, name: string, sessionCache: string): Promise<Peer> {
  const port = await freePort();
  const config = join(ground.directory, 'auth.json');
  const registration = { clientId: ground.clientId, clientSecretSettingName: 'bench-secret', openIdIssuer: ground.issuer };
  writeFileSync(
    config,
    JSON.stringify({ login: { tokenStore: { enabled: true } }, identityProviders: { azureActiveDirectory: { registration } } }),
  );
  writeFileSync(join(ground.directory, 'bench-secret'), ground.clientSecret);
  const log = join(ground.directory, 'sidecar.log');
  const args = [
    'sidecar',
    '--config',
    config,
    '--secrets',
    ground.directory,
    '--upstream',
    `http://127.0.0.1:${ground.originPort}`,
    '--listen',
    `127.0.0.1:${port}`,
    '--admin-listen',
    '127.0.0.1:0',
    '--session-cache',
    sessionCache,
  ];
  const proxy = spawn(
    'sh',
    ['-c', 'log=$1; shift; exec "$@" 2>"$log"', 'sh', log, 'taskset', '-c', proxyCore, process.execPath, ground.cli, ...args],
    { stdio: 'ignore' },
  );
  await listening(port);
  return { name, url: `http://127.0.0.1:${port}`, processes: [proxy] };
}

/** Every process of a peer: those started and their children. */
function family(peer: Peer): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      parents.set(
        Number(entry),
        Number(
          readFileSync(`/proc/${entry}/stat`, 'utf8')
            .replace(/^.*\) /s, '')
            .split(' ')[1],
        ),
      );
    } catch {
      continue; // ended while it was looked at
    }
  }
  const own = new Set(peer.processes.map(({ pid }) => pid ?? 0));
  for (let grown = true; grown;) {
    grown = false;
    for (const [pid, parent] of parents) {
      if (own.has(parent) && !own.has(pid)) {
        own.add(pid);
        grown = true;
      }
    }
  }
  return [...own];
}

/** Processor time of a peer so far, in microseconds. */
export function cpuMicroseconds(peer: Peer): number {
  return family(peer).reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) * 10_000;
  }, 0);
}

/** Resident memory of a peer, in bytes. */
export function residentBytes(peer: Peer): number {
  return family(peer).reduce(
    (sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024,
    0,
  );
}
