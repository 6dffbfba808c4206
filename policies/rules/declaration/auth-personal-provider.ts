import { defineRule } from '../../engine/rule.js';

export const authPersonalProvider = defineRule({
  id: 'auth-personal-provider',
  title: 'The cloud publishes no personal account provider for container apps.',
  why: 'It is sent without the check of the published schema, and the cloud may ignore it; the sandbox serves it.',
  severity: 'info',
  source: 'Sign-in rules, "Client-directed sign-in request bodies"; the cloud\'s authConfigs',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  messages: {
    personal:
      "the cloud's published settings of container apps have no personal account provider: it is sent unchecked",
  },
  check({ value }, context) {
    if (value.auth?.providers?.personal !== undefined)
      context.report({ messageId: 'personal', path: ['auth', 'providers', 'personal'], at: 'key' });
  },
});
