import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** The tags of DER (X.690) that a certificate needs. */
const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
  dnsName: 0x82,
  context0: 0xa0,
  context3: 0xa3,
} as const;

/** Object identifiers of X.509 (RFC 5280), as the hex of their DER content. */
const oids = {
  ecdsaWithSha256: '2a8648ce3d040302',
  commonName: '550403',
  keyUsage: '551d0f',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
  extendedKeyUsage: '551d25',
  serverAuth: '2b06010505070301',
  clientAuth: '2b06010505070302',
} as const;

/** A key with its own certificate, for one run of the plugin. */
interface SelfSignedCertificate {
  /** The key in PEM (PKCS #8). */
  readonly privateKey: string;
  /** The certificate in PEM. */
  readonly pem: string;
  readonly der: Buffer;
}

/**
 * Creates a P-256 key and a certificate for `localhost`, valid for server and client, as used
 * between Terraform and its plugins. Written here because Terraform starts a plugin four times per
 * apply: a certificate library would take longer to load than the plugin itself.
 */
export function createSelfSignedCertificate(now = new Date()): SelfSignedCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(objectId(oids.ecdsaWithSha256));
  const name = sequence(
    set(sequence(objectId(oids.commonName), tlv(tags.utf8String, Buffer.from('localhost')))),
  );
  const dayMs = 24 * 60 * 60_000;
  const validity = sequence(
    time(new Date(now.getTime() - dayMs)),
    time(new Date(now.getTime() + 30 * dayMs)),
  );
  const serial = tlv(tags.integer, Buffer.concat([Buffer.from([0x01]), randomBytes(15)]));
  const version3 = tlv(tags.context0, tlv(tags.integer, Buffer.from([2])));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const signedPart = sequence(
    version3,
    serial,
    algorithm,
    name,
    validity,
    name,
    key,
    tlv(tags.context3, sequence(...extensions())),
  );
  const signature = sign('sha256', signedPart, privateKey);
  const der = sequence(
    signedPart,
    algorithm,
    tlv(tags.bitString, Buffer.concat([Buffer.from([0]), signature])),
  );
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    der,
    pem: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/**
 * Basic constraints (an authority, since it signs itself), key usage, extended key usage (server
 * and client), alternative name.
 */
function extensions(): Buffer[] {
  const derTrue = tlv(tags.boolean, Buffer.from([0xff]));
  const extension = (id: string, value: Buffer, critical = true): Buffer =>
    sequence(objectId(id), ...(critical ? [derTrue] : []), tlv(tags.octetString, value));
  return [
    extension(oids.basicConstraints, sequence(derTrue)),
    // Digital signature, key encipherment, key agreement, certificate signing
    extension(oids.keyUsage, tlv(tags.bitString, Buffer.from([0x02, 0xac]))),
    extension(
      oids.extendedKeyUsage,
      sequence(objectId(oids.serverAuth), objectId(oids.clientAuth)),
      false,
    ),
    extension(oids.subjectAltName, sequence(tlv(tags.dnsName, Buffer.from('localhost'))), false),
  ];
}

/** A value in DER (X.690): its tag, its length, its content. */
function tlv(tag: number, value: Buffer): Buffer {
  const { length } = value;
  let size = [length];
  if (length >= 0x100) size = [0x82, length >> 8, length & 0xff];
  else if (length >= 0x80) size = [0x81, length];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(tags.sequence, Buffer.concat(parts));
}

function set(...parts: Buffer[]): Buffer {
  return tlv(tags.set, Buffer.concat(parts));
}

function objectId(hex: string): Buffer {
  return tlv(tags.objectIdentifier, Buffer.from(hex, 'hex'));
}

/** UTCTime, good until 2049. */
function time(date: Date): Buffer {
  return tlv(
    tags.utcTime,
    Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`),
  );
}
