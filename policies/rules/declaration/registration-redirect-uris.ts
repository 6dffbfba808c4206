import { identityProviders } from '../../../core/dialect/dialect.js';
import {
  hasWildcardHost,
  webRedirectMistake,
} from '../../../kinds/registration/registration-uris.js';
import { registration } from '../../../kinds/registration/registration.js';
import { defineRule } from '../../engine/rule.js';

const { neutral, azure } = identityProviders.azureActiveDirectory;
const directoryPathNames: readonly string[] = [...neutral, ...azure];

export const registrationRedirectUris = defineRule({
  id: 'registration-redirect-uris',
  title: 'Redirect URIs are HTTPS addresses with a path, without fragment.',
  why: 'A code sent to another address is a stolen sign-in. The official provider lets plain HTTP and fragments through.',
  severity: 'error',
  source: 'Sign-in rules, "Configuring the directory identity provider" 3',
  sections: ['registrations'],
  reportsSchemaMistakesOf: ['redirectUris.*'],
  reads: ['redirectUris', 'signInAudience'],
  messages: {
    form: '"{given}" is not an address',
    scheme:
      '"{given}" is not HTTPS (plain HTTP is for localhost only, urn: for clients that read the code from the page)',
    path: '"{given}" has no path; write {given}/ at least',
    wildcard:
      '"{given}" has a wildcard; only a host may have one, of an application for one tenant',
    fragment: '"{given}" has a fragment: remove # and what follows',
    unfinished: '"{given}" begins a sign-in and can\'t end it: write {given}/callback',
    callback:
      '"{given}" is the address of {provider}, not of the directory provider: it ends in /login/{wanted}/callback',
    twice: '"{given}" is listed twice',
    severalStacks:
      'the redirect URIs are written by the stacks {stacks}, and each would remove those of the other: write all of them in one stack',
  },
  check({ value }, context) {
    const isOfOneTenant =
      (value.signInAudience ?? registration.properties.signInAudience.default) === 'AzureADMyOrg';
    const previous = new Set<string>();
    value.redirectUris?.forEach((text, index) => {
      if (typeof text !== 'string' || text.includes('${')) return;
      const path = ['redirectUris', index];
      const report = (messageId: string): void =>
        context.report({ messageId, path, parameters: { given: text } });
      if (previous.has(text)) return report('twice');
      previous.add(text);
      if (webRedirectMistake(text) !== undefined) return;
      if (text.includes('*') && !(isOfOneTenant && hasWildcardHost(text)))
        return report('wildcard');
      if (/^https?:\/\/[^/]+$/.test(text)) return report('path');
      const [, provider, callback] = /\/\.auth\/login\/([^/]+)(\/callback)?\/?$/.exec(text) ?? [];
      if (provider !== undefined && callback === undefined) report('unfinished');
      else if (provider !== undefined && !directoryPathNames.includes(provider.toLowerCase()))
        context.report({
          messageId: 'callback',
          path,
          parameters: { provider, wanted: directoryPathNames.join(' or ') },
        });
    });
  },
});
