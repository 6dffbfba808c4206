import { containerApp } from '../../../kinds/container-app/container-app.js';
import { defineRule } from '../../engine/rule.js';

export const authSharedState = defineRule({
  id: 'auth-shared-state',
  title:
    'Several replicas of an app with a token store share the store, and have keys of their own.',
  why: "People are signed out at random: what one replica has kept or signed, the next one doesn't know.",
  severity: 'warning',
  source:
    'Sign-in rules, "What the service does" 2 and 9, "Configuration settings" (token store, signing and encryption keys)',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  reads: ['auth.tokenStore', 'auth.keys', 'auth.enabled', 'replicas'],
  messages: {
    keys: '{most} replicas run, but the app has no keys: declare keys: { signing, encryption }',
    store:
      '{most} replicas run, but the token store has no blobStorage: each replica keeps its own tokens',
  },
  check({ value }, context) {
    const { auth, replicas: { min = 0, max = containerApp.limits.replicas } = {} } = value;
    if (auth?.enabled === false || auth?.tokenStore?.enabled !== true) return;
    const alwaysRunsSeveral = typeof min === 'number' && min > 1;
    if (!alwaysRunsSeveral && (typeof max !== 'number' || max <= 1)) return;
    const replicasText = alwaysRunsSeveral ? `at least ${min}` : `up to ${max}`;
    // advice instead of a warning for an app that seldom needs a second replica
    const severity = alwaysRunsSeveral ? 'warning' : 'info';
    const lacksStore = auth.tokenStore.blobStorage === undefined;
    if (lacksStore)
      context.report({
        messageId: 'store',
        path: ['auth', 'tokenStore'],
        at: 'key',
        parameters: { most: replicasText },
        severity,
      });
    if (auth.keys === undefined && (alwaysRunsSeveral || !lacksStore))
      context.report({
        messageId: 'keys',
        path: ['auth', 'keys'],
        parameters: { most: replicasText },
        severity,
      });
  },
});
