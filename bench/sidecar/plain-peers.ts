import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  freePort,
  type Ground,
  listening,
  loadCore,
  onCore,
  type Peer,
  proxyCore,
} from './testbed.js';

const nginxFrame = (
  directory: string,
  name: string,
  http: string,
): string => `daemon off; worker_processes 1; pid ${directory}/${name}.pid; error_log ${directory}/${name}.log crit;
events { worker_connections 8192; }
http { access_log off; keepalive_requests 1000000; client_body_temp_path ${directory}/${name}-body; proxy_temp_path ${directory}/${name}-proxy; fastcgi_temp_path ${directory}/f; uwsgi_temp_path ${directory}/u; scgi_temp_path ${directory}/s; proxy_buffers 16 64k; proxy_buffer_size 64k;
${http} }
`;

export async function nginx(
  ground: Ground,
  name: string,
  port: number,
  core: string,
  http: string,
): Promise<ChildProcess> {
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

const verifying =
  'location = /verify { internal; proxy_pass http://auth/verify; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_pass_request_body off; proxy_set_header Content-Length ""; }';

export const nginxProxy = (
  port: number,
  origin: number,
  more = '',
  inside = '',
  locations = verifying,
): string =>
  `upstream app { server 127.0.0.1:${origin}; keepalive 128; keepalive_requests 1000000; } ${more}
server { listen 127.0.0.1:${port} backlog=4096; location / { ${inside} proxy_pass http://app; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host; } ${more === '' ? '' : locations} }`;

export async function startNginx(ground: Ground): Promise<Peer> {
  const port = await freePort();
  return {
    name: 'nginx, plain proxy',
    url: `http://127.0.0.1:${port}`,
    processes: [await nginx(ground, 'plain', port, proxyCore, nginxProxy(port, ground.originPort))],
  };
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
