import type { LiveRule } from '../../engine/live-rule.js';

export const liveGroupMissing: LiveRule = {
  id: 'live-group-missing',
  title: 'A declared group exists in the directory.',
  why: 'It was never applied or has been deleted; what was granted to it has no effect.',
  severity: 'error',
  source: 'Directory rules, "States and transitions"',
  messages: {
    missing:
      'the directory has no group "{given}"; apply the stack, or restore the group within 30 days of its deletion',
  },
  check({ declaration, group }, report) {
    if (group === undefined)
      report({
        messageId: 'missing',
        at: 'key',
        parameters: { given: declaration.value.mailNickname ?? declaration.name },
      });
  },
};
