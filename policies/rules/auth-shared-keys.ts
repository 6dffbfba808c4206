import { defineRule } from '../engine/rule.js';

/** An app that always runs several replicas shares its keys and its token store. */
export const authSharedKeys = defineRule({
  id: 'auth-shared-keys',
  title: 'An app with a token store that always runs several replicas shares the store, and has keys of its own.',
  why: "People are signed out at random: what one replica has kept or signed, the next one doesn't know.",
  severity: 'warning',
  source: 'spec 000, "What the service does" 2 and 9, "Configuration settings" (token store, signing and encryption keys)',
  sections: ['containerApps'],
  needs: 'auth',
  reads: ['auth.tokenStore', 'auth.keys', 'replicas.min'],
  messages: {
    keys: 'at least {min} replicas run, but the app has no keys: declare keys: { signing, encryption }',
    store: 'at least {min} replicas run, but the token store has no blobStorage: each replica keeps its own tokens',
  },
  check({ value }, context) {
    const { auth, replicas: { min = 0 } = {} } = value;
    if (auth?.enabled === false || auth?.tokenStore?.enabled !== true || min <= 1) return;
    if (auth.keys === undefined) context.report({ messageId: 'keys', path: ['auth', 'keys'], parameters: { min } });
    if (auth.tokenStore.blobStorage === undefined)
      context.report({ messageId: 'store', path: ['auth', 'tokenStore'], at: 'key', parameters: { min } });
  },
});
