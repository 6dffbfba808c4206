import { domainToASCII } from 'node:url';
import type { ConfigReader } from './reader.js';

/** Domains of e-mail addresses, in ASCII and lower case; with `*.` at the start: their subdomains. */
export function emailDomains(reader: ConfigReader, at: string): string[] {
  return reader.admitted(at).flatMap((text, index) => {
    const below = text.startsWith('*.') ? '*.' : '';
    const bare = text.slice(below.length);
    const domain = domainToASCII(bare);
    if (/^[\p{L}\p{M}\p{N}.-]+$/u.test(bare) && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
      return [`${below}${domain}`];
    const message = `"${text}" is not a domain such as contoso.example, or *.contoso.example for the domains below it`;
    reader.problem(`${at}.${index}`, message);
    return [];
  });
}
