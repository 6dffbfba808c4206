import type { ConfigProblem } from './problems.js';
import { isObject } from '../../../core/values/is-object.js';
import { nearest } from '../../../core/text/nearest.js';
import { isLoopback } from '../../../core/values/loopback.js';

/**
 * Addresses of providers by provider key (`--endpoints FILE`); they override those of the
 * configuration and the public ones.
 */
export type Endpoints = Readonly<Record<string, Readonly<Record<string, string>>>>;

const openIdEndpoints = ['issuer', 'wellKnown', 'authorization', 'token', 'keys', 'user'];
/** `groups` answers with the groups of a person whose token has too many to list. */
const directoryEndpoints = [...openIdEndpoints, 'groups'];
const endpointNames: Readonly<Record<string, readonly string[]>> = {
  azureActiveDirectory: directoryEndpoints,
  legacyMicrosoftAccount: openIdEndpoints,
  google: openIdEndpoints,
  apple: openIdEndpoints,
  facebook: ['authorization', 'token', 'user', 'debugToken'],
  gitHub: ['authorization', 'token', 'user', 'checkToken'],
  twitter: ['requestToken', 'authenticate', 'accessToken', 'user'],
};

/**
 * Whether an address may be called: https, or http on this machine. A provider decides who is
 * admitted, so its answers need an encrypted connection.
 */
export function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

/**
 * Checks the content of an endpoints file.
 *
 * @param customNames the names of the configured custom providers.
 */
export function checkEndpoints(
  input: unknown,
  customNames: readonly string[],
): { readonly endpoints: Endpoints; readonly problems: readonly ConfigProblem[] } {
  if (!isObject(input))
    return {
      endpoints: {},
      problems: [{ property: 'endpoints', message: 'is not an object by provider key' }],
    };
  const problems: ConfigProblem[] = [];
  for (const [key, addresses] of Object.entries(input)) {
    const names = Object.hasOwn(endpointNames, key)
      ? endpointNames[key]
      : customNames.includes(key)
        ? openIdEndpoints
        : undefined;
    if (names === undefined) {
      const suggestion = nearest(key, [...Object.keys(endpointNames), ...customNames]);
      // An endpoints file may serve several apps: an unused provider is no mistake, a misspelt one
      // is.
      if (suggestion !== undefined)
        problems.push({
          property: `endpoints.${key}`,
          message: `is not a known provider, did you mean "${suggestion}"?`,
        });
      continue;
    }
    if (!isObject(addresses)) {
      problems.push({ property: `endpoints.${key}`, message: 'must be an object of addresses' });
      continue;
    }
    for (const [name, address] of Object.entries(addresses)) {
      if (!names.includes(name))
        problems.push({
          property: `endpoints.${key}.${name}`,
          message: `is not known; allowed: ${names.join(', ')}`,
        });
      else if (typeof address !== 'string' || !isSafeAddress(address))
        problems.push({
          property: `endpoints.${key}.${name}`,
          message: 'must be an https URL (http on loopback only)',
        });
    }
  }
  return { endpoints: input as Endpoints, problems };
}
