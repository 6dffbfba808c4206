import { X509Certificate } from 'node:crypto';
import { createSelfSignedCertificate } from '../../../provider/protocol/self-signed-certificate.js';

test('a certificate of a launched provider is for localhost, client and server', () => {
  const { pem, der } = createSelfSignedCertificate(new Date('2030-01-02T03:04:05Z'));
  const certificate = new X509Certificate(pem);
  expect(certificate.raw.equals(der)).toBe(true);
  expect(certificate.checkHost('localhost')).toBe('localhost');
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.ca).toBe(true);
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
  expect(new Date(certificate.validFrom).toISOString()).toBe('2030-01-01T03:04:05.000Z');
});
