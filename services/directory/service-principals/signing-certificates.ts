import { servicePrincipalType, servicePrincipalWriteAccess } from './service-principal-type.js';
import { randomUUID, webcrypto } from 'node:crypto';
import { storeKey } from '../applications/certificates.js';
import { validityPeriod } from '../applications/validity-period.js';
import { requireOwnedObject } from '../applications/application-type.js';
import { invalidProperty, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import type { Router } from '../http/router.js';
import type { Body } from '../store/objects.js';

/** How long a certificate is valid without `endDateTime`. */
const validYears = 3;
const defaultSubject = 'CN=Castellan Federated SSO Certificate';

/**
 * Adds `addTokenSigningCertificate`, which creates a self-signed certificate. The service principal
 * lists it as two keys, to sign and to verify, and as a password.
 */
export function addTokenSigningRoutes(router: Router): void {
  router.on(
    'POST',
    '/servicePrincipals/{id}/addTokenSigningCertificate',
    servicePrincipalWriteAccess,
    addCertificate,
  );
}

async function addCertificate(request: DirectoryRequest): Promise<Reply> {
  const { directory } = request;
  const { displayName = defaultSubject, endDateTime } = request.optionalJson();
  if (typeof displayName !== 'string' || !/^CN=.+/i.test(displayName))
    throw invalidProperty('displayName', 'a subject such as CN=Contoso is expected');
  const period = validityPeriod({ endDateTime }, directory.clock.now(), validYears);
  const { der, thumbprint } = await createSelfSignedCertificate(
    displayName.slice('CN='.length),
    new Date(period.startDateTime),
    new Date(period.endDateTime),
  );
  const sharedFields = {
    customKeyIdentifier: Buffer.from(thumbprint, 'hex').toString('base64'),
    displayName,
    ...period,
  };
  const [signingKeyId, verifyingKeyId] = [randomUUID(), randomUUID()];
  await directory.sql.transaction(async () => {
    const principal = await requireOwnedObject(request, servicePrincipalType);
    for (const keyId of [signingKeyId, verifyingKeyId])
      await storeKey(directory, principal.id, keyId, der);
    const entry = (keyId: string, usage: string): Body => ({
      ...sharedFields,
      keyId,
      type: usage === 'Sign' ? 'X509CertAndPassword' : 'AsymmetricX509Cert',
      usage,
      key: null,
    });
    await directory.objects.save(principal, {
      ...principal.body,
      keyCredentials: [
        ...arrayOrEmpty(principal.body['keyCredentials']),
        entry(signingKeyId, 'Sign'),
        entry(verifyingKeyId, 'Verify'),
      ],
      passwordCredentials: [
        ...arrayOrEmpty(principal.body['passwordCredentials']),
        { ...sharedFields, keyId: signingKeyId, hint: null, secretText: null },
      ],
    });
  });
  return ok({
    ...request.withContext(`${directory.namespace}.selfSignedCertificate`),
    ...sharedFields,
    key: der,
    keyId: signingKeyId,
    thumbprint: thumbprint.toUpperCase(),
    type: 'AsymmetricX509Cert',
    usage: 'Verify',
  });
}

/**
 * Creates a self-signed certificate. Its private key is not stored, since this service signs
 * nothing with it.
 */
async function createSelfSignedCertificate(
  commonName: string,
  notBefore: Date,
  notAfter: Date,
): Promise<{ der: string; thumbprint: string }> {
  await import('reflect-metadata'); // the certificate library needs it
  const { Name, X509CertificateGenerator, cryptoProvider } = await import('@peculiar/x509');
  cryptoProvider.set(webcrypto);
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: new Name([{ CN: [{ utf8String: commonName }] }]), // as text it would need quoting
    notBefore,
    notAfter,
    signingAlgorithm,
    keys,
  });
  const thumbprint = Buffer.from(await certificate.getThumbprint('SHA-1')).toString('hex');
  return { der: Buffer.from(certificate.rawData).toString('base64'), thumbprint };
}

function arrayOrEmpty(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
