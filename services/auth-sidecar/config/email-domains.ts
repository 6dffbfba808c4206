import { domainToASCII } from 'node:url';
import type { ConfigReader } from './config-reader.js';

/** Domains of e-mail addresses, in ASCII and lower case; with `*.` at the start: their subdomains. */
export function emailDomains(reader: ConfigReader, property: string): string[] {
  return reader.allowList(property).flatMap((text, index) => {
    const wildcard = text.startsWith('*.') ? '*.' : '';
    const name = text.slice(wildcard.length);
    const domain = domainToASCII(name);
    if (/^[\p{L}\p{M}\p{N}.-]+$/u.test(name) && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain))
      return [`${wildcard}${domain}`];
    const message = `"${text}" is not a domain such as contoso.example, or *.contoso.example for the domains below it`;
    reader.addProblem(`${property}.${index}`, message);
    return [];
  });
}
