import { hasWildcardHost } from '../../../kinds/registration/registration-uris.js';
import { defineRule } from '../../engine/rule.js';

export const registrationRedirectWildcard = defineRule({
  id: 'registration-redirect-wildcard',
  title: 'Redirect URIs name their host, without a wildcard.',
  why: 'Anyone who gets hold of one host below the wildcard receives the codes of the sign-ins.',
  severity: 'warning',
  source:
    'the directory takes a wildcard host for applications of one tenant, and advises against it',
  sections: ['registrations'],
  messages: { wildcard: '"{given}" has a wildcard host; list the hosts instead' },
  check({ value }, context) {
    if (!Array.isArray(value.redirectUris)) return; // known only later
    value.redirectUris.forEach((uri: unknown, index) => {
      if (typeof uri === 'string' && hasWildcardHost(uri))
        context.report({ messageId: 'wildcard', path: ['redirectUris', index] });
    });
  },
});
