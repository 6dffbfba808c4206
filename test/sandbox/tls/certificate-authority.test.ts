import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { prepareSandboxFolder, sandboxPaths } from '../../../sandbox/paths.js';
import {
  openCertificateAuthority,
  Certificates,
} from '../../../sandbox/tls/certificate-authority.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-authority-'));
const paths = sandboxPaths(folder);
prepareSandboxFolder(paths);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the authority is created once and kept, with its key readable by the owner only', async () => {
  const first = await openCertificateAuthority(paths);
  const second = await openCertificateAuthority(paths);
  expect(second.certificate).toBe(first.certificate);
  expect(statSync(paths.caKey).mode & 0o077).toBe(0);
  expect(readFileSync(paths.caBundle, 'utf8')).toContain(first.certificate.trim());
});

test.each([
  ['not yet', '2040-01-01'],
  ['no longer', '2010-01-01'],
])('an authority that is %s valid, as one made with a wrong clock, is replaced', async (_, day) => {
  const project = sandboxPaths(mkdtempSync(join(folder, 'clock-')));
  prepareSandboxFolder(project);
  vi.useFakeTimers({ now: new Date(day), toFake: ['Date'] });
  const { certificate } = await openCertificateAuthority(project);
  vi.useRealTimers();
  const authority = await openCertificateAuthority(project);
  expect(authority.certificate).not.toBe(certificate);
  const leaf = await authority.issue(['app.localhost']);
  expect(await handshake('app.localhost', leaf, authority.certificate)).toBe('trusted');
});

test('a certificate is valid for the requested names', async () => {
  const authority = await openCertificateAuthority(paths);
  const leaf = new X509Certificate((await authority.issue(['shop.localhost'])).cert);
  const root = new X509Certificate(authority.certificate);
  expect(leaf.verify(root.publicKey)).toBe(true);
  expect(leaf.checkHost('shop.localhost')).toBe('shop.localhost');
  expect(leaf.checkHost('other.localhost')).toBeUndefined();
  expect([leaf.ca, root.ca]).toEqual([false, true]);
});

/** How a client that trusts the authority takes a server's certificate. */
async function handshake(
  host: string,
  certificate: { cert: string; key: string },
  ca: string,
): Promise<string> {
  const server = createServer(certificate, (_request, response) => response.end());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise((done) => {
      const socket = connect({ host: '127.0.0.1', port, servername: host, ca }, () => {
        done('trusted');
        socket.destroy();
      });
      socket.once('error', (error) => done(error.message));
    });
  } finally {
    server.close();
  }
}

test('its key cannot be used to impersonate a public site', async () => {
  const authority = await openCertificateAuthority(paths);
  expect(
    await handshake(
      'app.localhost',
      await authority.issue(['app.localhost']),
      authority.certificate,
    ),
  ).toBe('trusted');
  expect(
    await handshake('bank.example', await authority.issue(['bank.example']), authority.certificate),
  ).toBe('permitted subtree violation');
});

test("a handshake gets a certificate of the requested name, and names that are not an app's get the sandbox's own", async () => {
  const certificates = await Certificates.open(await openCertificateAuthority(paths));
  const secureContextFor = (name: string): Promise<unknown> =>
    new Promise((done, fail) =>
      certificates.secureContextOf(name, (error, context) => (error ? fail(error) : done(context))),
    );
  expect(await secureContextFor('a.localhost')).toBeDefined();
  expect(await secureContextFor('A.LOCALHOST')).toBe(await secureContextFor('a.localhost'));
  expect(await secureContextFor('evil.example')).toBeUndefined();
});
