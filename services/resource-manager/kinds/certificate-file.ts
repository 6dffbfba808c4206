import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { pkcs12 } from 'node-forge';

/** What a certificate says of itself, as the resource manager returns it. */
export interface CertificateDetails {
  readonly [property: string]: string;
  /** Distinguished names, the most specific part first: `CN=shop.example, O=Shop`. */
  readonly subjectName: string;
  readonly issuer: string;
  /** ISO 8601. */
  readonly issueDate: string;
  /** ISO 8601. */
  readonly expirationDate: string;
  /** SHA-1, in upper-case hex. */
  readonly thumbprint: string;
  /** SHA-256 of the key in SPKI form, in Base64. */
  readonly publicKeyHash: string;
}

/** The first byte of a PFX file, which is a DER sequence. */
const sequenceTag = 0x30;

/** Certificates of one file, and how many private keys it has. */
interface CertificateBundle {
  readonly certificates: readonly X509Certificate[];
  /** Of private keys. */
  readonly keyCount: number;
  /** The certificate of the private key; undefined if the file does not tell. */
  readonly leaf: X509Certificate | undefined;
}

/**
 * Reads a certificate with its private key.
 *
 * @param value a PFX or PEM file, in base64.
 * @param password of a PFX file.
 * @returns `placeholder` for a text that is neither PFX nor PEM.
 */
export async function readCertificate(
  value: string,
  password: string,
): Promise<CertificateDetails | 'placeholder' | 'unreadable' | 'without one private key'> {
  const file = Buffer.from(value, 'base64');
  const isPem = file.includes('-----BEGIN');
  if (!isPem && file[0] !== sequenceTag) return 'placeholder';
  let bundle: CertificateBundle;
  try {
    bundle = isPem ? readPem(file.toString('latin1')) : await readPfx(file, password);
  } catch {
    return 'unreadable';
  }
  const certificate = bundle.leaf ?? bundle.certificates[0];
  if (certificate === undefined) return 'unreadable';
  if (bundle.keyCount !== 1) return 'without one private key';
  return {
    subjectName: distinguishedName(certificate.subject),
    issuer: distinguishedName(certificate.issuer),
    issueDate: new Date(certificate.validFrom).toISOString(),
    expirationDate: new Date(certificate.validTo).toISOString(),
    thumbprint: certificate.fingerprint.replaceAll(':', ''),
    publicKeyHash: createHash('sha256')
      .update(certificate.publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64'),
  };
}

function readPem(text: string): CertificateBundle {
  const blocks = text.match(/-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g) ?? [];
  const certificates = blocks
    .filter((block) => block.startsWith('-----BEGIN CERTIFICATE-----'))
    .map((block) => new X509Certificate(block));
  const keys: KeyObject[] = blocks
    .filter((block) => /^-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(block))
    .map((block) => createPrivateKey(block));
  const [key] = keys;
  const leaf = key && certificates.find((each) => each.checkPrivateKey(key));
  return { certificates, keyCount: keys.length, leaf };
}

/** Uses node-forge: Node's own PFX reader returns no certificates and rejects old ciphers. */
async function readPfx(file: Buffer, password: string): Promise<CertificateBundle> {
  const { default: forge } = await import('node-forge');
  const { asn1, pkcs12: reader, pki } = forge;
  const pfx = reader.pkcs12FromAsn1(asn1.fromDer(file.toString('latin1')), false, password);
  const bags = (bagType: string): pkcs12.Bag[] => pfx.getBags({ bagType })[bagType] ?? [];
  const keys = [
    ...bags(pki.oids['keyBag'] as string),
    ...bags(pki.oids['pkcs8ShroudedKeyBag'] as string),
  ];
  const certificates = bags(pki.oids['certBag'] as string).map((bag) => {
    const content = bag.cert ? pki.certificateToAsn1(bag.cert) : bag.asn1;
    return {
      id: localKeyId(bag),
      certificate: new X509Certificate(Buffer.from(asn1.toDer(content).getBytes(), 'latin1')),
    };
  });
  const keyId = keys[0] && localKeyId(keys[0]);
  return {
    certificates: certificates.map(({ certificate }) => certificate),
    keyCount: keys.length,
    leaf: certificates.find(({ id }) => id !== undefined && id === keyId)?.certificate,
  };
}

/** The id that joins a certificate and its private key. */
function localKeyId(bag: pkcs12.Bag): unknown {
  const { localKeyId } = bag.attributes as { readonly localKeyId?: readonly unknown[] };
  return localKeyId?.[0];
}

/** Node writes one part a line, the most general first. */
function distinguishedName(lines: string): string {
  return lines.split('\n').reverse().join(', ');
}
