import { ServerCredentials } from '@grpc/grpc-js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { createSelfSignedCertificate } from './self-signed-certificate.js';

/** The environment variable with which Terraform proves that it started the plugin. */
const magicCookieName = 'TF_PLUGIN_MAGIC_COOKIE';
/** Its value, the same for all of Terraform's providers. */
const magicCookie = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2';
/** The version of the handshake line itself. */
const corePluginVersion = 1;
/** The version of the plugin protocol. */
const protocolVersion = 6;

/**
 * Refuses to run unless Terraform started the process.
 *
 * @throws CAS3005
 */
export function requireLaunchedByTerraform(
  env: Readonly<Record<string, string | undefined>>,
): void {
  if (env[magicCookieName] !== magicCookie)
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
  return `${corePluginVersion}|${protocolVersion}|unix|${socketPath}|grpc|${base64}\n`;
}

/** A certificate for this run, and credentials that accept only Terraform's client certificate. */
export function mutualTls(clientCertificate: string): {
  readonly credentials: ServerCredentials;
  readonly certificate: Buffer;
} {
  const serverCertificate = createSelfSignedCertificate();
  const pair = {
    private_key: Buffer.from(serverCertificate.privateKey),
    cert_chain: Buffer.from(serverCertificate.pem),
  };
  return {
    credentials: ServerCredentials.createSsl(Buffer.from(clientCertificate), [pair], true),
    certificate: serverCertificate.der,
  };
}
