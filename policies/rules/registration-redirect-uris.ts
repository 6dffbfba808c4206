import { identityProviders } from '../../core/dialect/dialect.js';
import { defineRule } from '../engine/rule.js';

const { neutral, azure } = identityProviders.azureActiveDirectory;
const directoryWords: readonly string[] = [...neutral, ...azure];

/** Redirect URIs are exact HTTPS addresses. */
export const registrationRedirectUris = defineRule({
  id: 'registration-redirect-uris',
  title: 'Redirect URIs are HTTPS addresses with a path, without wildcard or fragment.',
  why: 'A code sent to another address is a stolen sign-in. The official provider lets plain HTTP, wildcards and fragments through.',
  severity: 'error',
  source: 'spec 000, "Configuring the directory identity provider" 3',
  sections: ['registrations'],
  reads: ['redirectUris'],
  messages: {
    form: '"{given}" is not an address',
    scheme: '"{given}" is not HTTPS (plain HTTP is for localhost only, urn: for clients that read the code from the page)',
    path: '"{given}" has no path; write {given}/ at least',
    wildcard: '"{given}" has a wildcard',
    fragment: '"{given}" has a fragment',
    unfinished: '"{given}" begins a sign-in and can\'t end it: write {given}/callback',
    callback: '"{given}" is the address of {provider}, not of the directory provider: it ends in /login/{wanted}/callback',
    twice: '"{given}" is listed twice',
  },
  check({ value }, context) {
    const seen = new Set<string>();
    value.redirectUris?.forEach((given, index) => {
      if (typeof given !== 'string' || given.includes('${')) return;
      const messageId = seen.has(given) ? 'twice' : mistakeIn(given);
      seen.add(given);
      const path = ['redirectUris', index];
      if (messageId !== undefined) return context.report({ messageId, path, parameters: { given } });
      const [, provider, callback] = /\/\.auth\/login\/([^/]+)(\/callback)?\/?$/.exec(given) ?? [];
      if (provider !== undefined && callback === undefined) context.report({ messageId: 'unfinished', path, parameters: { given } });
      else if (provider !== undefined && !directoryWords.includes(provider.toLowerCase()))
        context.report({ messageId: 'callback', path, parameters: { given, provider, wanted: directoryWords.join(' or ') } });
    });
  },
});

function mistakeIn(given: string): string | undefined {
  if (given.includes('*')) return 'wildcard';
  if (/^urn:[a-z0-9][a-z0-9-]*:\S/i.test(given)) return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined) return 'form';
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)))
    return 'scheme';
  if (given.includes('#')) return 'fragment';
  return /^https?:\/\/[^/]+$/.test(given) ? 'path' : undefined;
}
