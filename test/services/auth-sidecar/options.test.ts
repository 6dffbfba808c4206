import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { trustedProxyCheck } from '../../../services/auth-sidecar/http/origin.js';
import { readTls, type SidecarOptions } from '../../../services/auth-sidecar/operations/options.js';

const folder = mkdtempSync(join(tmpdir(), 'sidecar-options-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('--tls-cert and --tls-key', () => {
  const [cert, key, otherKey] = ['cert.pem', 'key.pem', 'other.pem'].map((each) =>
    join(folder, each),
  ) as [string, string, string];
  const text = join(folder, 'text');
  const read = (tlsCert: string, tlsKey: string) =>
    readTls({ tlsCert, tlsKey } as unknown as SidecarOptions);
  beforeAll(() => {
    const newKey = ['req', '-x509', '-nodes', '-newkey', 'rsa:2048', '-subj', '/CN=localhost'];
    for (const [keyFile, certFile] of [
      [key, cert],
      [otherKey, join(folder, 'other-cert.pem')],
    ] as const)
      execFileSync('openssl', [...newKey, '-keyout', keyFile, '-out', certFile], {
        stdio: 'ignore',
      });
    writeFileSync(text, 'no PEM');
  });

  test('are read where they belong together', () => {
    expect(read(cert, key)).toEqual({ cert: readFileSync(cert), key: readFileSync(key) });
  });

  test.each([
    ['a key of another certificate', () => read(cert, otherKey), /key values mismatch/],
    ['a certificate that is no PEM', () => read(text, key), /no start line/],
    ['a key that is no PEM', () => read(cert, text), /PEM/],
    ['a folder', () => read(folder, key), /--tls-cert: .* can't be read: EISDIR/],
  ])('refuse %s by name', (_, action, message) => {
    expect(action).toThrow(message);
    expect(action).toThrow(expect.objectContaining({ code: 'CAS6004' }) as Error);
  });
});

test.each(['', '10.0.0.0/', '10.0.0.0/33', '10.0.0.0/8/24', '::1/129', 'proxy.example'])(
  '--trusted-proxies refuses %j',
  (range) => {
    expect(() => trustedProxyCheck(['127.0.0.1', range])).toThrow(/is not an address or a CIDR/);
  },
);
