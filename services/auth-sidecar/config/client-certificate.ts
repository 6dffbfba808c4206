import { createPrivateKey, X509Certificate } from 'node:crypto';
import { assertionAlgorithm } from '../providers/client-assertion.js';
import type { ConfigReader } from './config-reader.js';

/**
 * The certificate with which the app authenticates to the directory instead of a client secret: the
 * secret named by the thumbprint, a PEM text with the certificate and its private key. Issuer and
 * alternative name must match the configuration.
 *
 * @param property the dotted path of the registration.
 */
export function clientCertificate(reader: ConfigReader, property: string): string | undefined {
  const [thumbprintProperty, issuerProperty, nameProperty] = [
    'Thumbprint',
    'Issuer',
    'SubjectAlternativeName',
  ].map((suffix) => `${property}.clientSecretCertificate${suffix}`) as [string, string, string];
  const thumbprint = reader.text(thumbprintProperty);
  const [issuer, alternativeName] = [reader.text(issuerProperty), reader.text(nameProperty)];
  if (thumbprint === undefined) {
    if (issuer !== undefined || alternativeName !== undefined)
      reader.addProblem(
        thumbprintProperty,
        'is required beside the other properties of a certificate: it names the secret that holds it',
      );
    return undefined;
  }
  const pem = reader.findSecret(thumbprint, thumbprintProperty);
  if (pem === undefined) return undefined;
  const certificate = parseCertificateWithKey(pem);
  if (certificate === undefined) {
    reader.addProblem(
      thumbprintProperty,
      'its secret must hold a certificate and its private key (RSA, or EC on P-256), both as PEM',
    );
    return undefined;
  }
  // A name with 20 hexadecimal bytes is the SHA-1 fingerprint of the certificate itself.
  const isThumbprint = /^(?:[0-9a-f]{2}:?){20}$/i.test(thumbprint);
  if (
    isThumbprint &&
    normalizeThumbprint(thumbprint) !== normalizeThumbprint(certificate.fingerprint)
  )
    reader.addProblem(thumbprintProperty, 'its secret holds another certificate');
  if (
    issuer !== undefined &&
    !distinguishedNameForms(certificate.issuer).includes(issuer.toLowerCase())
  )
    reader.addProblem(issuerProperty, 'the certificate is issued by another authority');
  if (
    alternativeName !== undefined &&
    !alternativeNames(certificate).includes(alternativeName.toLowerCase())
  )
    reader.addProblem(nameProperty, 'the certificate does not have this name');
  return pem;
}

/** The certificate in a PEM text that also holds its private key; undefined for other texts. */
function parseCertificateWithKey(pem: string): X509Certificate | undefined {
  try {
    const [certificate, key] = [new X509Certificate(pem), createPrivateKey(pem)];
    return certificate.checkPrivateKey(key) && assertionAlgorithm(key) !== undefined
      ? certificate
      : undefined;
  } catch {
    return undefined; // not PEM, or without a key: the caller reports it
  }
}

function normalizeThumbprint(thumbprint: string): string {
  return thumbprint.replace(/:/g, '').toLowerCase();
}

/**
 * The spellings of a distinguished name that the configuration may use: `cn=x, o=y`, `cn=x,o=y`, or
 * the common name alone.
 */
function distinguishedNameForms(text: string): string[] {
  const parts = text.toLowerCase().split('\n');
  const commonNames = parts.filter((part) => part.startsWith('cn=')).map((part) => part.slice(3));
  return [parts.join(', '), parts.join(','), ...commonNames];
}

function alternativeNames(certificate: X509Certificate): string[] {
  const names = (certificate.subjectAltName ?? '')
    .split(', ')
    .map((each) => each.slice(each.indexOf(':') + 1).toLowerCase());
  return [...names, ...distinguishedNameForms(certificate.subject)];
}
