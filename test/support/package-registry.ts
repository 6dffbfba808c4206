import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { root } from './cli.js';
import { packedSmallPackages } from './installed-package.js';

/** A registry of npm with one package: castellan-check, as `npm pack` makes it of this checkout. */
export interface PackageRegistry {
  readonly url: string;
  readonly version: string;
  close(): void;
}

/** Starts the registry on a free port. */
export async function startRegistry(): Promise<PackageRegistry> {
  const source = join(root, 'packages/castellan-check');
  const tarball = readFileSync((await packedSmallPackages()).check);
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const server = createServer(({ url: path }, response) => {
    if (path === '/castellan-check.tgz') return void response.end(tarball);
    if (path !== '/castellan-check') return void response.writeHead(404).end('{}');
    const dist = { tarball: `${url()}/castellan-check.tgz`, integrity };
    response.end(
      JSON.stringify({
        name: 'castellan-check',
        'dist-tags': { latest: manifest.version },
        versions: { [manifest.version]: { ...manifest, dist } },
      }),
    );
  });
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: url(), version: manifest.version, close: () => server.close() };
}
