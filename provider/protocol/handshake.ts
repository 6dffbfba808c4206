import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { ServerCredentials } from '@grpc/grpc-js';
import { CastellanError } from '../../core/errors/castellan-error.js';

/** The environment variable with which Terraform proves that it started the plugin. */
const cookieName = 'TF_PLUGIN_MAGIC_COOKIE';
const cookie = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2';
const protocolVersion = 6;

/**
 * Refuses to run unless Terraform started the process.
 *
 * @throws CAS3005
 */
export function requireLaunchedByTerraform(
  env: Readonly<Record<string, string | undefined>>,
): void {
  if (env[cookieName] !== cookie)
    throw new CastellanError(
      'CAS3005',
      'this program is a Terraform provider: Terraform starts it, it is of no use by itself',
    );
  const versions = env['PLUGIN_PROTOCOL_VERSIONS']?.split(',').map(Number) ?? [protocolVersion];
  if (!versions.includes(protocolVersion))
    throw new CastellanError(
      'CAS3005',
      `this Terraform speaks plugin protocols ${versions.join(', ')}; the provider speaks ${protocolVersion}: use Terraform 1.0 or newer`,
    );
}

/**
 * The line on stdout with which Terraform finds the plugin: versions, socket and the expected
 * certificate.
 */
export function handshakeLine(socketPath: string, certificate: Buffer | undefined): string {
  const base64 = (certificate?.toString('base64') ?? '').replace(/=+$/, '');
  return `1|${protocolVersion}|unix|${socketPath}|grpc|${base64}\n`;
}

/** A certificate for this run, and credentials that accept only Terraform's client certificate. */
export function mutualTls(clientCertificate: string): {
  readonly credentials: ServerCredentials;
  readonly certificate: Buffer;
} {
  const own = createSelfSigned();
  const pair = { private_key: Buffer.from(own.privateKey), cert_chain: Buffer.from(own.pem) };
  return {
    credentials: ServerCredentials.createSsl(Buffer.from(clientCertificate), [pair], true),
    certificate: own.der,
  };
}

/** A key with its own certificate, for one run of the plugin. */
interface SelfSigned {
  readonly privateKey: string;
  readonly pem: string;
  readonly der: Buffer;
}

/**
 * Creates a P-256 key and a certificate for `localhost`, valid for server and client, as used
 * between Terraform and its plugins. Written here because Terraform starts a plugin four times per
 * apply: a certificate library would take longer to load than the plugin itself.
 */
export function createSelfSigned(now = new Date()): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(objectId('2a8648ce3d040302')); // ecdsa-with-SHA256
  const name = sequence(set(sequence(objectId('550403'), tlv(0x0c, Buffer.from('localhost')))));
  const day = 24 * 60 * 60_000;
  const validity = sequence(
    time(new Date(now.getTime() - day)),
    time(new Date(now.getTime() + 30 * day)),
  );
  const serial = tlv(0x02, Buffer.concat([Buffer.from([0x01]), randomBytes(15)]));
  const version = tlv(0xa0, tlv(0x02, Buffer.from([2])));
  const key = publicKey.export({ type: 'spki', format: 'der' });
  const body = sequence(
    version,
    serial,
    algorithm,
    name,
    validity,
    name,
    key,
    tlv(0xa3, sequence(...extensions())),
  );
  const signature = sign('sha256', body, privateKey);
  const der = sequence(body, algorithm, tlv(0x03, Buffer.concat([Buffer.from([0]), signature])));
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
  const boolean = tlv(0x01, Buffer.from([0xff]));
  const extension = (id: string, value: Buffer, critical = true): Buffer =>
    sequence(objectId(id), ...(critical ? [boolean] : []), tlv(0x04, value));
  return [
    extension('551d13', sequence(boolean)),
    // Digital signature, key encipherment, key agreement, certificate signing
    extension('551d0f', tlv(0x03, Buffer.from([0x02, 0xac]))),
    extension(
      '551d25',
      sequence(objectId('2b06010505070301'), objectId('2b06010505070302')),
      false,
    ),
    extension('551d11', sequence(tlv(0x82, Buffer.from('localhost'))), false),
  ];
}

function tlv(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

function set(...parts: Buffer[]): Buffer {
  return tlv(0x31, Buffer.concat(parts));
}

function objectId(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, 'hex'));
}

/** UTCTime, good until 2049. */
function time(date: Date): Buffer {
  return tlv(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));
}
