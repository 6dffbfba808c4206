import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeProtectedHeader, importX509, jwtVerify } from 'jose';
import { loadConfig } from '../../../services/auth-sidecar/index.js';
import { signIn, startUnderTest } from './support/harness.js';
import { TestIdentityProvider } from './support/identity-provider.js';
import { startRecordingApp } from './support/recording-app.js';

const directory = mkdtempSync(join(tmpdir(), 'sidecar-certificate-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A certificate of its own authority, and its key. */
function createCertificate(
  name: string,
  ...key: string[]
): { readonly pem: string; readonly cert: string } {
  const [keyFile, certFile] = [join(directory, `${name}.key`), join(directory, `${name}.crt`)];
  const args = [
    'req',
    '-x509',
    '-nodes',
    '-newkey',
    ...key,
    '-keyout',
    keyFile,
    '-out',
    certFile,
    '-days',
    '2',
  ];
  execFileSync(
    'openssl',
    [...args, '-subj', `/CN=${name}/O=Castle`, '-addext', `subjectAltName=DNS:${name}.example`],
    { stdio: 'ignore' },
  );
  const cert = readFileSync(certFile, 'utf8');
  return { cert, pem: `${cert}${readFileSync(keyFile, 'utf8')}` };
}

const rsa = createCertificate('rsa', 'rsa:2048');
const ec = createCertificate('ec', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1');
const p384 = createCertificate('p384', 'ec', '-pkeyopt', 'ec_paramgen_curve:secp384r1');
const thumbprint = new X509Certificate(rsa.cert).fingerprint.replace(/:/g, '');

const config = (issuer: string, registration: Record<string, string>): unknown => ({
  identityProviders: {
    azureActiveDirectory: {
      registration: { clientId: 'client-1', openIdIssuer: issuer, ...registration },
    },
  },
});

/** The message about the problems of a configuration with a certificate; empty without problems. */
function problemMessage(
  registration: Record<string, string>,
  secrets: Record<string, string>,
): string {
  const file = join(directory, 'auth.json');
  writeFileSync(file, JSON.stringify(config('https://directory.example', registration)));
  try {
    loadConfig({ file, dialect: 'neutral', secrets: { env: secrets } });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('a client certificate', () => {
  test.each([
    ['RSA', 'RS256', rsa],
    ['EC', 'ES256', ec],
  ])(
    'with an %s key authenticates the client, in place of a secret',
    async (_, algorithm, { pem, cert }) => {
      const idp = await new TestIdentityProvider().start();
      idp.assertion = async (jwt) => {
        const { payload } = await jwtVerify(jwt, await importX509(cert, algorithm), {
          audience: `${idp.url}/token`,
          issuer: 'client-1',
        });
        expect(payload).toMatchObject({ sub: 'client-1', jti: expect.any(String) as string });
        expect((payload.exp ?? 0) - Date.now() / 1000).toBeLessThan(600);
        expect(decodeProtectedHeader(jwt)['x5t']).toBe(
          Buffer.from(new X509Certificate(cert).fingerprint.replace(/:/g, ''), 'hex').toString(
            'base64url',
          ),
        );
      };
      const app = await startRecordingApp();
      const sidecar = await startUnderTest({
        config: config(idp.url, { clientSecretCertificateThumbprint: 'app-certificate' }),
        upstream: app.url,
        secrets: { 'app-certificate': pem },
      });
      const { callbackAnswer } = await signIn(sidecar, idp);
      expect([callbackAnswer.status, callbackAnswer.headers['location']]).toEqual([302, ['/']]);
      expect(idp.tokenRequests[0]?.has('client_secret')).toBe(false);
      await sidecar.stop();
      await app.close();
      await idp.close();
    },
  );

  test('may be named by its thumbprint, issuer and alternative name', () => {
    const registration = {
      clientSecretCertificateThumbprint: thumbprint,
      clientSecretCertificateIssuer: 'CN=rsa, O=Castle',
      clientSecretCertificateSubjectAlternativeName: 'rsa.example',
    };
    expect(problemMessage(registration, { [thumbprint]: rsa.pem })).toBe('');
    expect(
      problemMessage(
        { ...registration, clientSecretCertificateIssuer: 'rsa' },
        { [thumbprint]: rsa.pem },
      ),
    ).toBe('');
  });

  test.each<[string, Record<string, string>, string, RegExp]>([
    [
      'that is another one',
      { clientSecretCertificateThumbprint: thumbprint },
      ec.pem,
      /Thumbprint: its secret holds another certificate/,
    ],
    [
      'without its key',
      { clientSecretCertificateThumbprint: 'c' },
      rsa.cert,
      /Thumbprint: its secret must hold a certificate and its/,
    ],
    [
      'with the key of another',
      { clientSecretCertificateThumbprint: 'c' },
      rsa.cert + ec.pem.slice(ec.cert.length),
      /must hold/,
    ],
    [
      'on a curve that providers do not take',
      { clientSecretCertificateThumbprint: 'c' },
      p384.pem,
      /must hold/,
    ],
    ['that is no PEM', { clientSecretCertificateThumbprint: 'c' }, 'secret text', /must hold/],
    [
      'of another issuer',
      { clientSecretCertificateThumbprint: 'c', clientSecretCertificateIssuer: 'CN=Other' },
      rsa.pem,
      /Issuer: the certificate is issued by another/,
    ],
    [
      'of another name',
      {
        clientSecretCertificateThumbprint: 'c',
        clientSecretCertificateSubjectAlternativeName: 'x.example',
      },
      rsa.pem,
      /AlternativeName: the certificate does not have/,
    ],
    [
      'named by its issuer alone',
      { clientSecretCertificateIssuer: 'rsa' },
      rsa.pem,
      /Thumbprint: is required beside/,
    ],
  ])('%s is refused at start', (_, registration, pem, message) => {
    const problems = problemMessage(registration, { c: pem, [thumbprint]: pem });
    expect(problems).toMatch(message);
    expect(problems).not.toContain('BEGIN');
    expect(problems).not.toContain('secret text');
  });

  test('that does not exist is reported', () => {
    expect(problemMessage({ clientSecretCertificateThumbprint: 'missing-one' }, {})).toMatch(
      /Thumbprint: the secret "missing-one"/,
    );
  });
});
