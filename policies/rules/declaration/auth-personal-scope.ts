import { basicProfileScopes } from '../../../kinds/auth/providers.js';
import { defineRule } from '../../engine/rule.js';

export const authPersonalScope = defineRule({
  id: 'auth-personal-scope',
  title: 'The scopes of the personal account provider include the basic profile.',
  why: 'The token request must always include it: the sandbox adds it, another layer may refuse the sign-in.',
  severity: 'warning',
  source: 'Sign-in rules, "Client-directed sign-in request bodies" (its basic-profile scope)',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  reads: ['auth.providers.personal.scopes'],
  messages: { missing: 'the scopes leave out the basic profile: add {allowed}' },
  check({ value }, context) {
    const scopes = value.auth?.providers?.personal?.scopes;
    if (
      !Array.isArray(scopes) ||
      scopes.some((scope: unknown) => basicProfileScopes.includes(String(scope).toLowerCase()))
    )
      return;
    const fix = {
      description: 'add profile',
      value: [...(scopes as readonly string[]), 'profile'],
    };
    const parameters = { given: scopes, allowed: basicProfileScopes.join(' or ') };
    context.report({
      messageId: 'missing',
      path: ['auth', 'providers', 'personal', 'scopes'],
      parameters,
      fix,
    });
  },
});
