import { defineRule, removal } from '../../engine/rule.js';

export const authAccessAction = defineRule({
  id: 'auth-access-action',
  title: 'unauthenticatedAction agrees with restrictAccess.',
  why: 'The cloud has one setting for both; a contradiction would be resolved silently, one way or the other.',
  severity: 'error',
  source:
    'Sign-in rules, "Configuration settings" (Restrict access, Action when request is not authenticated)',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  reportsSchemaMistakesOf: ['auth.restrictAccess', 'auth.unauthenticatedAction'],
  reads: ['auth.restrictAccess', 'auth.unauthenticatedAction'],
  messages: {
    enum: '"{given}" is not allowed; allowed: {allowed}{hint}',
    allowed:
      'restrictAccess lets unauthenticated requests pass: {given} would never happen; write allowAnonymous, or leave it out',
    required:
      'restrictAccess is requireAuthentication{default}, but allowAnonymous lets every request pass: write redirectToLogin, return401 or return403, or restrictAccess: allowUnauthenticated',
    redirect: 'redirectTo has no effect: unauthenticated requests get {given}',
  },
  check({ value }, context) {
    const { auth } = value;
    if (auth === undefined) return;
    const {
      restrictAccess = 'requireAuthentication',
      unauthenticatedAction: action,
      redirectTo,
    } = auth;
    if (
      restrictAccess === 'allowUnauthenticated' &&
      action !== undefined &&
      action !== 'allowAnonymous'
    )
      context.report({
        messageId: 'allowed',
        path: ['auth', 'unauthenticatedAction'],
        parameters: { given: action },
        fix: { value: 'allowAnonymous' },
      });
    if (restrictAccess === 'requireAuthentication' && action === 'allowAnonymous')
      context.report({
        messageId: 'required',
        path: ['auth', 'unauthenticatedAction'],
        parameters: { default: auth.restrictAccess === undefined ? ' by default' : '' },
        fix: { value: 'redirectToLogin' },
      });
    if (redirectTo !== undefined && (action === 'return401' || action === 'return403'))
      context.report({
        messageId: 'redirect',
        path: ['auth', 'redirectTo'],
        at: 'key',
        parameters: { given: action },
        fix: removal,
      });
  },
});
