import type * as X509 from '@peculiar/x509';

/** The algorithm of the sandbox's certificates. */
export const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Loads the certificate library, which wants a polyfill in place first; only processes that make certificates pay for it. */
export async function loadX509(): Promise<typeof X509> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}
