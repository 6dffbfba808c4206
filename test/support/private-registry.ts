import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * A registry that keeps images in memory and lets one user in, by the distribution API that
 * container engines speak.
 */
export interface PrivateRegistry {
  /** Its host: engines take plain HTTP from it, as it is on loopback. */
  readonly host: string;
  stop(): Promise<void>;
}

/** Starts a registry for one user. */
export async function startPrivateRegistry(
  user: string,
  password: string,
): Promise<PrivateRegistry> {
  const blobs = new Map<string, Buffer>();
  const manifests = new Map<string, { readonly type: string; readonly body: Buffer }>();
  const uploads = new Map<string, Buffer[]>();
  const digestOf = (bytes: Buffer): string =>
    `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  const expectedAuthorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

  const answer = async (
    request: IncomingMessage,
  ): Promise<[status: number, headers?: Record<string, string>, body?: Buffer]> => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://registry');
    if (request.headers.authorization !== expectedAuthorization)
      return [401, { 'WWW-Authenticate': 'Basic realm="private"' }];
    if (pathname === '/v2/') return [200];
    const [, name = '', kind = '', reference = ''] =
      /^\/v2\/(.+)\/(blobs\/uploads|blobs|manifests)\/?([^/]*)$/.exec(pathname) ?? [];
    const key = `${name}/${reference}`;
    if (kind === 'manifests' && request.method === 'PUT') {
      const stored = { type: request.headers['content-type'] ?? '', body: await buffer(request) };
      for (const each of [reference, digestOf(stored.body)])
        manifests.set(`${name}/${each}`, stored);
      return [201, { 'Docker-Content-Digest': digestOf(stored.body) }];
    }
    const manifest = manifests.get(key);
    if (kind === 'manifests' && manifest !== undefined)
      return [
        200,
        { 'Content-Type': manifest.type, 'Docker-Content-Digest': digestOf(manifest.body) },
        manifest.body,
      ];
    const blob = blobs.get(reference);
    if (kind === 'blobs' && blob !== undefined)
      return [200, { 'Docker-Content-Digest': reference }, blob];
    if (kind !== 'blobs/uploads') return [404];
    const id = reference === '' ? randomUUID() : reference;
    const parts = [...(uploads.get(id) ?? []), await buffer(request)];
    uploads.set(id, parts);
    const digest = searchParams.get('digest');
    if (digest === null)
      return [
        202,
        {
          Location: `/v2/${name}/blobs/uploads/${id}`,
          Range: `0-${Buffer.concat(parts).length - 1}`,
        },
      ];
    blobs.set(digest, Buffer.concat(parts));
    return [201, { Location: `/v2/${name}/blobs/${digest}`, 'Docker-Content-Digest': digest }];
  };

  const server: Server = createServer((request, response) => {
    void answer(request).then(([status, headers = {}, body = Buffer.alloc(0)]) =>
      response
        .writeHead(status, { 'Content-Length': body.length, ...headers })
        .end(request.method === 'HEAD' ? undefined : body),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((stopped) => server.close(() => stopped()).closeAllConnections()),
  };
}
