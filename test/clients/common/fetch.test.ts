import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchTrusting } from '../../../clients/common/index.js';
import { prepareSandboxFolder, sandboxPaths } from '../../../sandbox/paths.js';
import { openCertificateAuthority } from '../../../sandbox/tls/certificate-authority.js';

test('clients that trust the same authority share their connections', async () => {
  const paths = sandboxPaths(mkdtempSync(join(tmpdir(), 'castellan-transport-')));
  prepareSandboxFolder(paths);
  const authority = await openCertificateAuthority(paths);
  const server = createServer(
    await authority.issue(['localhost', '127.0.0.1']),
    (_request, response) => response.end('{}'),
  );
  let connections = 0;
  server.on('secureConnection', () => (connections += 1));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (let client = 0; client < 20; client++) {
    const response = await fetchTrusting(authority.certificate)(origin, {});
    expect(await response.text()).toBe('{}');
  }
  // another connection is opened where the first is not free yet
  expect(connections).toBeLessThan(4);
  server.closeAllConnections();
  server.close();
});
