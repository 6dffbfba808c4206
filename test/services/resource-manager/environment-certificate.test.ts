import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import forge from 'node-forge';
import {
  type Answer,
  environment,
  type Harness,
  startManager,
  withEnvironment,
} from './support.js';

let manager: Harness;
beforeAll(async () => {
  manager = await startManager();
  await withEnvironment(manager);
});
afterAll(() => manager.close());

const createKeyPair = (): { readonly privateKey: string; readonly publicKey: string } =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

/** A certificate for a name, signed by an authority. */
function certificate(name: string, publicKey: string, authorityKey: string): forge.pki.Certificate {
  const result = forge.pki.createCertificate();
  result.publicKey = forge.pki.publicKeyFromPem(publicKey);
  result.serialNumber = '01';
  result.validity.notBefore = new Date('2026-01-01T00:00:00Z');
  result.validity.notAfter = new Date('2036-01-01T00:00:00Z');
  result.setSubject([
    { shortName: 'O', value: 'Shop' },
    { shortName: 'CN', value: name },
  ]);
  result.setIssuer([{ shortName: 'CN', value: 'authority.example' }]);
  result.sign(forge.pki.privateKeyFromPem(authorityKey), forge.md.sha256.create());
  return result;
}

const [shopKeys, authorityKeys] = [createKeyPair(), createKeyPair()];
const shopCertificate = certificate('shop.example', shopKeys.publicKey, authorityKeys.privateKey);
const authorityCertificate = certificate(
  'authority.example',
  authorityKeys.publicKey,
  authorityKeys.privateKey,
);

function pfx(algorithm: '3des' | 'aes256', password: string): string {
  const file = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(shopKeys.privateKey),
    [shopCertificate, authorityCertificate],
    password,
    { algorithm },
  );
  return Buffer.from(forge.asn1.toDer(file).getBytes(), 'latin1').toString('base64');
}

const pem = (...parts: string[]): string => Buffer.from(parts.join('')).toString('base64');
const shopPem = forge.pki.certificateToPem(shopCertificate);
const authorityPem = forge.pki.certificateToPem(authorityCertificate);

const putCertificate = (name: string, properties: object): Promise<Answer> =>
  manager.send('PUT', `${environment}/certificates/${name}`, {
    location: 'westeurope',
    properties,
  });

/**
 * @claim environment-certificate: A certificate of an environment is returned with its names, dates and thumbprint, and refused with a wrong password or without a private key.
 * @source https://learn.microsoft.com/rest/api/containerapps/certificates/create-or-update
 * @source https://github.com/microsoft/azure-container-apps/issues/511
 * @seen azurerm
 */
test.each<[string, () => { readonly value: string; readonly password?: string }]>([
  ['a PFX file with today’s cipher', () => ({ value: pfx('aes256', 'p4ss'), password: 'p4ss' })],
  ['a PFX file with an old cipher', () => ({ value: pfx('3des', 'p4ss'), password: 'p4ss' })],
  ['a PFX file without a password', () => ({ value: pfx('3des', '') })],
  ['a PEM file', () => ({ value: pem(shopPem, authorityPem, shopKeys.privateKey) })],
  [
    'a PEM file whose authority comes first',
    () => ({ value: pem(authorityPem, shopPem, shopKeys.privateKey) }),
  ],
])('%s is returned with its names, dates and thumbprint', async (_, properties) => {
  const answer = await putCertificate('shop', properties());
  expect(answer.status).toBe(200);
  const { body } = await manager.send('GET', `${environment}/certificates/shop`);
  expect(body.properties).toMatchObject({
    subjectName: 'CN=shop.example, O=Shop',
    issuer: 'CN=authority.example',
    issueDate: '2026-01-01T00:00:00.000Z',
    expirationDate: '2036-01-01T00:00:00.000Z',
    thumbprint: new X509Certificate(shopPem).fingerprint.replaceAll(':', ''),
    valid: true,
    provisioningState: 'Succeeded',
  });
  expect(body.properties).not.toHaveProperty('value');
  expect(body.properties).not.toHaveProperty('password');
});

test.each<[string, () => object, string, string]>([
  [
    'a wrong password',
    () => ({ value: pfx('aes256', 'p4ss'), password: 'wrong' }),
    'InvalidCertificate',
    'The certificate bad is invalid or password is incorrect.',
  ],
  [
    'a PEM file that is cut',
    () => ({ value: pem(shopPem.replace('M', '!'), shopKeys.privateKey) }),
    'InvalidCertificate',
    'The certificate bad is invalid or password is incorrect.',
  ],
  [
    'no private key',
    () => ({ value: pem(shopPem) }),
    'CertificateMustContainOnePrivateKey',
    'Certificate must contain one private key.',
  ],
])('a certificate with %s is refused and not kept', async (_, properties, code, message) => {
  const answer = await putCertificate('bad', properties());
  expect(answer).toMatchObject({ status: 400, body: { error: { code, message } } });
  expect((await manager.send('GET', `${environment}/certificates/bad`)).status).toBe(404);
});

test('changing the tags of a certificate keeps its names and dates', async () => {
  await putCertificate('tagged', { value: pem(shopPem, shopKeys.privateKey) });
  const path = `${environment}/certificates/tagged`;
  await manager.send('PATCH', path, { tags: { team: 'shop' } });
  expect((await manager.send('GET', path)).body).toMatchObject({
    tags: { team: 'shop' },
    properties: { subjectName: 'CN=shop.example, O=Shop', valid: true },
  });
});

test('a placeholder for a certificate is stored as not valid', async () => {
  await putCertificate('placeholder', { value: 'cGZ4' });
  const { body } = await manager.send('GET', `${environment}/certificates/placeholder`);
  expect(body.properties).toEqual({ valid: false, provisioningState: 'Succeeded' });
});
