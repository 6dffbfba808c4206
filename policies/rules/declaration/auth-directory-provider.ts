import { defineRule, removal } from '../../engine/rule.js';

export const authDirectoryProvider = defineRule({
  id: 'auth-directory-provider',
  title: 'The directory provider has a registration of the stack, or a client id with its secret.',
  why: 'No one could sign in.',
  severity: 'error',
  source: 'Sign-in rules, "Configuring the directory identity provider" 6',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  reads: ['auth.providers.directory.enabled'],
  messages: {
    none: 'the provider has no registration: declare registration: NAME, or clientId',
    both: 'registration and clientId exclude each other',
    secret: 'the secret comes from the registration; remove {property}',
    twoSecrets: 'clientSecret and clientSecretCertificate exclude each other',
    noSecret: 'a client id needs clientSecret or clientSecretCertificate',
  },
  check({ value }, context) {
    const directory = value.auth?.providers?.directory;
    if (directory === undefined || directory === null || directory.enabled === false) return;
    const path = ['auth', 'providers', 'directory'];
    const { registration, clientId, clientSecret, clientSecretCertificate } = directory;
    if (registration === undefined && clientId === undefined)
      return context.report({ messageId: 'none', path, at: 'key' });
    if (registration !== undefined && clientId !== undefined)
      context.report({ messageId: 'both', path: [...path, 'clientId'], at: 'key' });
    const property = clientSecret !== undefined ? 'clientSecret' : 'clientSecretCertificate';
    if (registration !== undefined && directory[property] !== undefined)
      context.report({
        messageId: 'secret',
        path: [...path, property],
        at: 'key',
        parameters: { property },
        fix: removal,
      });
    if (clientSecret !== undefined && clientSecretCertificate !== undefined)
      context.report({
        messageId: 'twoSecrets',
        path: [...path, 'clientSecretCertificate'],
        at: 'key',
      });
    if (
      registration === undefined &&
      clientSecret === undefined &&
      clientSecretCertificate === undefined
    )
      context.report({ messageId: 'noSecret', path, at: 'key' });
  },
});
