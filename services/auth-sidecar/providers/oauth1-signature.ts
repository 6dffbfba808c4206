import { createHmac } from 'node:crypto';

/** Percent-encoding of RFC 3986, as OAuth 1.0a asks for it. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** What is signed and with what. */
export interface SignatureInput {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  /** OAuth parameters and those of a form body. */
  readonly parameters: readonly (readonly [string, string])[];
  readonly consumerSecret: string;
  readonly tokenSecret: string;
}

/** The HMAC-SHA1 signature of RFC 5849, section 3.4. */
export function signOAuth1(input: SignatureInput): string {
  const url = new URL(input.url);
  const pairs = [...url.searchParams, ...input.parameters].map(([name, value]) => [percentEncode(name), percentEncode(value)] as const);
  const sorted = pairs.sort(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)));
  const normalized = sorted.map(([name, value]) => `${name}=${value}`).join('&');
  const base = [input.method.toUpperCase(), `${url.protocol}//${url.host}${url.pathname}`, normalized].map(percentEncode).join('&');
  return createHmac('sha1', `${percentEncode(input.consumerSecret)}&${percentEncode(input.tokenSecret)}`)
    .update(base)
    .digest('base64');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The `Authorization` header of signed parameters. */
export function oauthHeader(parameters: readonly (readonly [string, string])[]): string {
  return `OAuth ${parameters.map(([name, value]) => `${percentEncode(name)}="${percentEncode(value)}"`).join(', ')}`;
}
