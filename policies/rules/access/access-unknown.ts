import { type AccessRule, people } from '../../engine/access-rule.js';

export const accessUnknown: AccessRule = {
  id: 'access-unknown',
  title: 'After a change it is still known who gets into an app.',
  why: 'A group or provider whose people are not known can let in anyone, and no comparison shows it.',
  severity: 'info',
  source: 'Directory rules, "What the service does" 4 and 8',
  messages: { people: 'of {count} it can not be said any more whether they get into {app}' },
  check({ app, unknown }, _options, report) {
    if (unknown > 0) report({ messageId: 'people', parameters: { app, count: people(unknown) } });
  },
};
