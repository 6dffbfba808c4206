import { containerApp } from '../../kinds/container-app/container-app.js';
import { defineRule } from '../engine/rule.js';

/** Replicas share what they keep of a session. */
export const authSharedState = defineRule({
  id: 'auth-shared-state',
  title: 'With several replicas, the token store and the keys are shared.',
  why: "A token kept by one replica is missing on the next, and a key made by one can't be read by the other.",
  severity: 'info',
  source: 'spec 000, "What the service does" 2 and 9, "Configuration settings" (token store, keys)',
  sections: ['containerApps'],
  needs: 'auth',
  reads: ['auth.tokenStore', 'auth.keys', 'auth.enabled', 'replicas'],
  messages: {
    store: 'the token store of an app with up to {max} replicas has no blobStorage: each replica keeps its own tokens',
    keys: 'an app with up to {max} replicas and a token store has no keys',
  },
  check({ value }, context) {
    const { auth, replicas: { min = 0, max = containerApp.limits.replicas } = {} } = value;
    if (auth?.enabled === false || auth?.tokenStore?.enabled !== true || typeof max !== 'number' || max <= 1) return;
    // auth-shared-keys says it of apps that always run several
    if (typeof min === 'number' && min > 1) return;
    if (auth.tokenStore.blobStorage === undefined)
      context.report({ messageId: 'store', path: ['auth', 'tokenStore'], at: 'key', parameters: { max } });
    else if (auth.keys === undefined) context.report({ messageId: 'keys', path: ['auth', 'keys'], parameters: { max } });
  },
});
