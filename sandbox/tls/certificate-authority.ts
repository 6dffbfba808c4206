import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type * as X509 from '@peculiar/x509';
import { systemClock } from '../../services/common/clock.js';
import type { SandboxPaths } from '../paths.js';
import { writePrivate } from '../private-file.js';

/** The algorithm of the sandbox's certificates. */
const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/**
 * Loads the certificate library, which needs a polyfill first; only processes that create
 * certificates load it.
 */
async function loadX509(): Promise<typeof X509> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

/** A certificate authority of one sandbox. */
interface CertificateAuthority {
  /** Its certificate in PEM. */
  readonly certificate: string;
  /** A certificate for a host name, chained to the authority. */
  issue(hosts: readonly string[]): Promise<{ readonly cert: string; readonly key: string }>;
}

const dayMs = 24 * 3600 * 1000;
const authorityDays = 3650;
/** Browsers refuse certificates with a longer lifetime. */
const hostDays = 390;

/**
 * The sandbox's own authority, created on first use, and again once it is not valid any more, or not
 * yet, as after a start with a wrong clock. Its key never leaves the project's folder.
 */
export async function openCertificateAuthority(paths: SandboxPaths): Promise<CertificateAuthority> {
  const x509 = await loadX509();
  if (!existsSync(paths.caKey) || !isValidNow(paths.ca)) await createCertificateAuthority(paths);
  const certificate = readFileSync(paths.ca, 'utf8');
  const parent = new x509.X509Certificate(certificate);
  const parentKey = await crypto.subtle.importKey(
    'pkcs8',
    fromPem(readFileSync(paths.caKey, 'utf8')),
    signingAlgorithm,
    false,
    ['sign'],
  );
  // One key for all hosts of a process: only the names differ.
  const keys = await crypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const key = toPem('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  return {
    certificate,
    async issue(hosts) {
      const leaf = await x509.X509CertificateGenerator.create({
        serialNumber: serialNumber(),
        // `ub-common-name` of RFC 5280 is 64
        subject: `CN=${hosts[0] ?? 'localhost'}`.slice(0, 64),
        issuer: parent.subject,
        notBefore: new Date(machineTime() - dayMs),
        notAfter: new Date(machineTime() + hostDays * dayMs),
        publicKey: keys.publicKey,
        signingKey: parentKey,
        signingAlgorithm,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          new x509.SubjectAlternativeNameExtension(
            hosts.map((host) => ({
              type: /^[\d.]+$|:/.test(host) ? ('ip' as const) : ('dns' as const),
              value: host,
            })),
          ),
          await x509.AuthorityKeyIdentifierExtension.create(parent.publicKey),
        ],
      });
      return { cert: `${leaf.toString('pem')}\n${certificate}`, key };
    },
  };
}

/** Whether a certificate exists and is valid; one that can't be read as a certificate throws. */
function isValidNow(file: string): boolean {
  if (!existsSync(file)) return false;
  const { validFrom, validTo } = new X509Certificate(readFileSync(file));
  return Date.parse(validFrom) <= machineTime() && machineTime() < Date.parse(validTo);
}

/** Browsers check certificates by the machine's clock, not by the sandbox's. */
const machineTime = (): number => systemClock.now().getTime();

async function createCertificateAuthority(paths: SandboxPaths): Promise<void> {
  const x509 = await loadX509();
  const keys = await crypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: 'CN=Castellan sandbox, O=Castellan (this machine only)',
    notBefore: new Date(machineTime() - dayMs),
    notAfter: new Date(machineTime() + authorityDays * dayMs),
    keys,
    signingAlgorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      // Even a system that trusts this authority trusts it only for this machine's own names.
      nameConstraints(x509),
    ],
  });
  writePrivate(
    paths.caKey,
    toPem('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', keys.privateKey)),
  );
  writePrivate(paths.caBundle, `${rootCertificates.join('\n')}\n${certificate.toString('pem')}\n`);
  writePrivate(paths.ca, `${certificate.toString('pem')}\n`); // last: where it exists, so do the others
}

/** DER tags: a sequence, and the names of RFC 5280, 4.2.1.6 and 4.2.1.10, with context tags. */
const derTag = { sequence: 0x30, dnsName: 0x82, ipAddress: 0x87, permittedSubtrees: 0xa0 };

/**
 * The extension that permits names below `localhost`, 127.0.0.0/8 and ::1 only (RFC 5280, 4.2.1.10),
 * as DER, since the library has no class for it. Addresses are followed by their mask.
 */
function nameConstraints(
  x509: Awaited<ReturnType<typeof loadX509>>,
): InstanceType<typeof x509.Extension> {
  const der = (tag: number, ...content: number[]): number[] => [tag, content.length, ...content];
  const subtree = (name: number[]): number[] => der(derTag.sequence, ...name);
  const localhost = subtree(der(derTag.dnsName, ...Buffer.from('localhost')));
  const ipv4 = subtree(der(derTag.ipAddress, 127, 0, 0, 0, 255, 0, 0, 0));
  const ipv6 = subtree(
    der(derTag.ipAddress, ...Array<number>(15).fill(0), 1, ...Array<number>(16).fill(255)),
  );
  const permitted = der(derTag.permittedSubtrees, ...localhost, ...ipv4, ...ipv6);
  const value = Uint8Array.from(der(derTag.sequence, ...permitted));
  return new x509.Extension(nameConstraintsOid, true, value);
}

const nameConstraintsOid = '2.5.29.30';

/** A random serial number; its first bit is 0, since it must be positive (RFC 5280, 4.1.2.2). */
function serialNumber(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[0] = (bytes[0] as number) & 0x7f;
  return Buffer.from(bytes).toString('hex');
}

function toPem(label: string, der: ArrayBuffer): string {
  const lines = Buffer.from(der).toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

function fromPem(pem: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64'));
}

/** Names in every certificate of the sandbox. */
const ownHosts = ['localhost', '127.0.0.1', '::1'];
/**
 * How many names get a certificate of their own; further ones get the sandbox's, so that no one can
 * fill the memory by requesting names.
 */
const maxNames = 500;

/**
 * Answers TLS handshakes with a certificate of exactly the requested name: common TLS libraries do
 * not accept the wildcard `*.localhost`, since it has only one label.
 */
export class Certificates {
  readonly #contexts = new Map<string, Promise<SecureContext>>();

  private constructor(
    private readonly authority: CertificateAuthority,
    readonly ownCertificate: { readonly cert: string; readonly key: string },
  ) {}

  static async open(authority: CertificateAuthority): Promise<Certificates> {
    return new Certificates(authority, await authority.issue(ownHosts));
  }

  /** For the `SNICallback` of a TLS server. */
  readonly secureContextOf = (
    name: string,
    done: (error: Error | null, context?: SecureContext) => void,
  ): void => {
    const host = name.toLowerCase();
    if (!/^[a-z0-9.-]{1,200}\.localhost$/.test(host)) return done(null, undefined);
    let context = this.#contexts.get(host);
    if (context === undefined) {
      if (this.#contexts.size >= maxNames) return done(null, undefined);
      context = this.authority
        .issue([host])
        .then((certificate) => createSecureContext(certificate));
      this.#contexts.set(host, context);
    }
    context.then(
      (secureContext) => done(null, secureContext),
      (error: unknown) => done(error as Error),
    );
  };
}
