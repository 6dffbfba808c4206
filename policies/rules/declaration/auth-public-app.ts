import { defineRule } from '../../engine/rule.js';

export const authPublicApp = defineRule({
  id: 'auth-public-app',
  title:
    'An app with external ingress has auth that restricts access, or a suppression that says why not.',
  why: 'Everyone on the internet can use it.',
  severity: 'warning',
  source: 'Sign-in rules, "What the service does" 1 and 7 (optional: an app may secure itself)',
  sections: ['containerApps'],
  reads: ['ingress.external'],
  messages: {
    none: 'the app is reached from outside and has no auth: declare auth, or say why not (# castellan-ignore auth-public-app reason="…" owner=… until=YYYY-MM-DD)',
    disabled: 'the app is reached from outside and its auth is switched off',
    open: 'the app is reached from outside and its auth lets everyone in: require authentication, or say why not (# castellan-ignore auth-public-app reason="…" owner=… until=YYYY-MM-DD)',
  },
  check({ value, unknownPaths }, context) {
    if (value.ingress?.external !== true) return;
    if (value.ingress.ipRestrictions !== undefined && value.ingress.ipRestrictions.length > 0)
      return;
    const unknownPath = unknownPaths.find(
      ([property, setting]) =>
        property === 'auth' && (setting === 'enabled' || setting === 'restrictAccess'),
    );
    if (unknownPath !== undefined) context.unknown(unknownPath);
    else if (value.auth === undefined)
      context.report({ messageId: 'none', path: ['ingress', 'external'] });
    else if (value.auth.enabled === false)
      context.report({ messageId: 'disabled', path: ['auth', 'enabled'] });
    else if (value.auth.restrictAccess === 'allowUnauthenticated')
      context.report({ messageId: 'open', path: ['auth', 'restrictAccess'] });
  },
});
