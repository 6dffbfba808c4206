import { defineRule } from '../engine/rule.js';

/** The personal account provider does not exist for container apps in the cloud. */
export const authPersonalProvider = defineRule({
  id: 'auth-personal-provider',
  title: 'The personal account provider serves the sandbox only.',
  why: 'The cloud has no setting for it on container apps: there it is left out.',
  severity: 'info',
  source: 'spec 000, "Client-directed sign-in request bodies"; the cloud\'s authConfigs',
  sections: ['containerApps'],
  messages: { personal: 'the cloud has no personal account provider for container apps: it works in the sandbox only' },
  check({ value }, context) {
    if (value.auth?.providers?.personal !== undefined)
      context.report({ messageId: 'personal', path: ['auth', 'providers', 'personal'], at: 'key' });
  },
});
