import { type AccessRule, peopleCountText } from '../../engine/access-rule.js';

export const accessUnknown: AccessRule = {
  id: 'access-unknown',
  title: 'After a change it is still known who gets into an app.',
  why: 'A group or provider whose people are not known can let in anyone, and no comparison shows it.',
  severity: 'info',
  source: 'Directory rules, "What the service does" 4 and 8',
  messages: { people: 'whether {count} get into {app} can no longer be determined' },
  check({ app, unknownCount }, _options, report) {
    if (unknownCount > 0)
      report({ messageId: 'people', parameters: { app, count: peopleCountText(unknownCount) } });
  },
};
