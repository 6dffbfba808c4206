import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  freePort,
  type Testbed,
  waitUntilListening,
  loadGeneratorCore,
  spawnOnCore,
  type Peer,
  proxyCore,
} from './testbed.js';

const nginxConfig = (
  directory: string,
  name: string,
  http: string,
): string => `daemon off; worker_processes 1; pid ${directory}/${name}.pid; error_log ${directory}/${name}.log crit;
events { worker_connections 8192; }
http { access_log off; keepalive_requests 1000000; client_body_temp_path ${directory}/${name}-body; proxy_temp_path ${directory}/${name}-proxy; fastcgi_temp_path ${directory}/f; uwsgi_temp_path ${directory}/u; scgi_temp_path ${directory}/s; proxy_buffers 16 64k; proxy_buffer_size 64k;
${http} }
`;

/** Starts nginx with a configuration of its `http` block, and waits until it listens. */
export async function startNginxProcess(
  testbed: Testbed,
  name: string,
  port: number,
  core: string,
  http: string,
): Promise<ChildProcess> {
  const file = join(testbed.directory, `${name}.conf`);
  writeFileSync(file, nginxConfig(testbed.directory, name, http));
  const process = spawnOnCore(core, 'nginx', ['-c', file]);
  await waitUntilListening(port);
  return process;
}

/** The app behind all peers: 1 KB, and 1 MB at /large. */
export async function startOrigin(testbed: Testbed): Promise<ChildProcess> {
  const www = join(testbed.directory, 'www');
  mkdirSync(www, { recursive: true });
  chmodSync(testbed.directory, 0o755);
  writeFileSync(join(www, 'small'), 'x'.repeat(1024));
  writeFileSync(join(www, 'large'), 'x'.repeat(1024 * 1024));
  return startNginxProcess(
    testbed,
    'origin',
    testbed.originPort,
    loadGeneratorCore,
    `open_file_cache max=10; sendfile on; server { listen 127.0.0.1:${testbed.originPort} backlog=4096; root ${www}; }`,
  );
}

/** The location that asks an auth server, at its path `/verify`. */
const verifyLocation =
  'location = /verify { internal; proxy_pass http://auth/verify; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass_request_body off; proxy_set_header Content-Length ""; }';

/**
 * The configuration of a proxy to the app.
 *
 * @param blocks further directives, such as the upstream of an auth server
 * @param locationDirectives directives for requests to the app
 * @param locations further locations, if there are further directives
 */
export const nginxProxyConfig = (
  port: number,
  origin: number,
  blocks = '',
  locationDirectives = '',
  locations = verifyLocation,
): string =>
  `upstream app { server 127.0.0.1:${origin}; keepalive 128; keepalive_requests 1000000; } ${blocks}
server { listen 127.0.0.1:${port} backlog=4096; location / { ${locationDirectives} proxy_pass http://app; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host; } ${blocks === '' ? '' : locations} }`;

/** nginx as a proxy without sign-in. */
export async function startNginx(testbed: Testbed): Promise<Peer> {
  const port = await freePort();
  return {
    name: 'nginx, plain proxy',
    url: `http://127.0.0.1:${port}`,
    processes: [
      await startNginxProcess(
        testbed,
        'plain',
        port,
        proxyCore,
        nginxProxyConfig(port, testbed.originPort),
      ),
    ],
  };
}

/** HAProxy as a proxy without sign-in. */
export async function startHaproxy(testbed: Testbed): Promise<Peer> {
  const port = await freePort();
  const file = join(testbed.directory, 'haproxy.cfg');
  writeFileSync(
    file,
    `global\n nbthread 1\n maxconn 4000\ndefaults\n mode http\n timeout connect 5s\n timeout client 60s\n timeout server 60s\n http-reuse always\nfrontend f\n bind 127.0.0.1:${port} backlog 4096\n default_backend b\nbackend b\n server s 127.0.0.1:${testbed.originPort}\n`,
  );
  const proxy = spawnOnCore(proxyCore, 'haproxy', ['-q', '-f', file]);
  await waitUntilListening(port);
  return { name: 'haproxy, plain proxy', url: `http://127.0.0.1:${port}`, processes: [proxy] };
}
