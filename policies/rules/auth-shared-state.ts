import { containerAppLimits } from '../../kinds/container-app/limits.js';
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
  reads: ['auth.tokenStore', 'auth.keys', 'replicas'],
  messages: {
    store: 'the token store of an app with up to {max} replicas has no blobStorage: each replica keeps its own tokens',
    keys: 'an app with up to {max} replicas and a token store has no keys',
  },
  check({ value }, context) {
    const max = value.replicas?.max ?? containerAppLimits.maxReplicas.default;
    if (value.auth?.tokenStore?.enabled !== true || typeof max !== 'number' || max <= 1) return;
    if (value.auth.tokenStore.blobStorage === undefined)
      context.report({ messageId: 'store', path: ['auth', 'tokenStore'], at: 'key', parameters: { max } });
    else if (value.auth.keys === undefined) context.report({ messageId: 'keys', path: ['auth', 'keys'], parameters: { max } });
  },
});
