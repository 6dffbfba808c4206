import { rootCertificates } from 'node:tls';
import { Agent, fetch as undiciFetch } from 'undici';

/** The part of `fetch` that the clients use; injected in tests. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * A `fetch` that also trusts a private certificate authority, such as the sandbox's.
 *
 * @param ca the authority's certificate(s) in PEM.
 */
export function fetchTrusting(ca: string): Fetch {
  const dispatcher = new Agent({ connect: { ca: [...rootCertificates, ca] } });
  return (url, init) => undiciFetch(url, { ...init, dispatcher } as Parameters<typeof undiciFetch>[1]) as unknown as Promise<Response>;
}
