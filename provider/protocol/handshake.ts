import { ServerCredentials } from '@grpc/grpc-js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { createSelfSigned } from './self-signed.js';

/** How Terraform makes known that it, and not a person, started the plugin. */
const cookieName = 'TF_PLUGIN_MAGIC_COOKIE';
const cookie = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2';
const protocolVersion = 6;

/**
 * Refuses to run where Terraform didn't start the process.
 *
 * @throws CAS3005
 */
export function requireLaunchedByTerraform(env: Readonly<Record<string, string | undefined>>): void {
  if (env[cookieName] !== cookie)
    throw new CastellanError('CAS3005', 'this program is a Terraform provider: Terraform starts it, it is of no use by itself');
  const spoken = env['PLUGIN_PROTOCOL_VERSIONS']?.split(',').map(Number) ?? [protocolVersion];
  if (!spoken.includes(protocolVersion))
    throw new CastellanError(
      'CAS3005',
      `this Terraform speaks plugin protocols ${spoken.join(', ')}; the provider speaks ${protocolVersion}: use Terraform 1.0 or newer`,
    );
}

/** The one line on stdout by which Terraform finds the plugin: versions, socket and the certificate to expect. */
export function handshakeLine(socketPath: string, certificate: Buffer | undefined): string {
  const base64 = (certificate?.toString('base64') ?? '').replace(/=+$/, '');
  return `1|${protocolVersion}|unix|${socketPath}|grpc|${base64}\n`;
}

/** A certificate of its own for this run, and credentials that let in only the client whose certificate Terraform handed over. */
export function mutualTls(clientCertificate: string): { readonly credentials: ServerCredentials; readonly certificate: Buffer } {
  const own = createSelfSigned();
  const pair = { private_key: Buffer.from(own.privateKey), cert_chain: Buffer.from(own.pem) };
  return { credentials: ServerCredentials.createSsl(Buffer.from(clientCertificate), [pair], true), certificate: own.der };
}
