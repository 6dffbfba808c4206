/** A claim's value, or its values. */
export type ClaimValue = string | readonly string[];

/** Who signed in, as the provider says. */
export interface Identity {
  /** Object id where the provider has one, else the subject. */
  readonly id: string;
  readonly name: string;
  /** Claims by their own names, every value as text. */
  readonly claims: Readonly<Record<string, ClaimValue>>;
}

/** Claims of the protocol that say nothing about a person. */
const protocolClaims = new Set(['nonce', 'at_hash', 'c_hash', 's_hash', 'aio', 'rh', 'uti', 'xms_cc', '_claim_names', '_claim_sources']);
/** What people go by: by `login` and `screen_name` where a provider has them, for there the address is a private matter. */
const usualNames = ['name', 'preferred_username', 'upn', 'unique_name', 'login', 'screen_name', 'email', 'nickname'];
/** No provider names anybody at such length, and each request would carry it. In characters. */
const longestId = 500;
const longestName = 300;
/** The largest set of claims that a cookie keeps, in bytes of JSON. */
const mostClaims = 10 * 1024;

/** Makes an identity of a token's or user endpoint's claims. Undefined when they name no one. */
export function identityOf(claims: Readonly<Record<string, unknown>>, nameClaim?: string): Identity | undefined {
  const text = (key: string): string | undefined => {
    const value = claims[key];
    return typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;
  };
  const id = text('oid') ?? text('sub') ?? text('id_str') ?? text('id');
  if (id === undefined || id.length > longestId) return undefined;
  const names = nameClaim === undefined ? usualNames : [nameClaim, ...usualNames];
  const name = names.map(text).find((value) => value !== undefined) ?? text('app_displayname') ?? text('azp') ?? text('appid') ?? id;
  return { id, name: [...name].slice(0, longestName).join(''), claims: withinBounds(readable(claims)) };
}

function readable(claims: Readonly<Record<string, unknown>>): Record<string, ClaimValue> {
  const entries: [string, ClaimValue][] = [];
  for (const [key, value] of Object.entries(claims)) {
    if (protocolClaims.has(key) || value === null || value === undefined) continue;
    if (Array.isArray(value)) entries.push([key, value.map(asText)]);
    else entries.push([key, asText(value)]);
  }
  return Object.fromEntries(entries);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Leaves the longest claims out until the rest fits. */
function withinBounds(claims: Record<string, ClaimValue>): Record<string, ClaimValue> {
  const sizes = Object.entries(claims).map(([key, value]) => [key, JSON.stringify(value).length + key.length] as const);
  let total = sizes.reduce((sum, [, size]) => sum + size, 0);
  for (const [key, size] of sizes.sort((a, b) => b[1] - a[1])) {
    if (total <= mostClaims) break;
    delete claims[key];
    total -= size;
  }
  return claims;
}
