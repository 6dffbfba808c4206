import type { ValidationFailure } from '../schema/property-metadata.js';

const urnPattern = /^urn:[a-z0-9][a-z0-9-]*:\S+$/i;

/** How much of an address messages contain, in characters. */
const maxQuotedLength = 60;

function quote(address: string): string {
  return `"${address.slice(0, maxQuotedLength)}"`;
}

/** Checks a redirect URI of a web application. */
export function webRedirectMistake(value: unknown): ValidationFailure | undefined {
  if (typeof value !== 'string' || value === '' || value.includes('${') || urnPattern.test(value))
    return undefined;
  const refuse = (messageId: string, problem: string): ValidationFailure => ({
    messageId,
    message: `${quote(value)} ${problem}`,
  });
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || /\s/.test(value)) return refuse('form', 'is not an address');
  const isLocal =
    url.protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !isLocal)
    return refuse(
      'scheme',
      'is not HTTPS (plain HTTP is for localhost only, urn: for clients that read the code from the page)',
    );
  return value.includes('#') ? refuse('fragment', 'has a fragment') : undefined;
}

/** Checks the address of a home page. */
export function webAddressMistake(value: unknown): ValidationFailure | undefined {
  if (typeof value !== 'string' || value === '' || value.includes('${')) return undefined;
  const isWeb = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
  return isWeb
    ? undefined
    : { messageId: 'form', message: `${quote(value)} is not a web address (https://…)` };
}

/** Checks the address to which the directory reports sign-outs. */
export function signOutAddressMistake(value: unknown): ValidationFailure | undefined {
  const mistake = webAddressMistake(value);
  if (mistake !== undefined || typeof value !== 'string' || !URL.canParse(value)) return mistake;
  const { protocol, hostname } = new URL(value);
  if (protocol === 'https:' || hostname === 'localhost') return undefined;
  return {
    messageId: 'scheme',
    message: `${quote(value)} is not HTTPS (plain HTTP is for localhost only)`,
  };
}

const maxIdentifierUriLength = 255;

/** Checks a URI that identifies an API. */
export function identifierUriMistake(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '' || value.includes('${')) return undefined;
  if (value.length > maxIdentifierUriLength)
    return `it has ${value.length} characters, at most ${maxIdentifierUriLength} are allowed`;
  return /^[a-z][a-z0-9+.-]*:\S+$/i.test(value)
    ? undefined
    : `${quote(value)} is not an absolute URI`;
}

/**
 * Whether the host of a redirect URI has a wildcard, which is allowed in single-tenant applications
 * only, and never wise.
 */
export function hasWildcardHost(uri: string): boolean {
  return URL.canParse(uri) && new URL(uri).hostname.includes('*');
}
