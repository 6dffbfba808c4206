import type { AccessRule } from '../../engine/access-rule.js';

export const accessConditionsChanged: AccessRule = {
  id: 'access-conditions-changed',
  title: 'A change leaves the access conditions of apps as they are, for all possible people.',
  why: 'A rule that matches nobody today lets in whoever matches it tomorrow, and a list of people does not show it.',
  severity: 'info',
  source:
    'Sign-in rules, "Authentication" 3 and 4; Directory rules, "Group properties", `membershipRule`',
  messages: {
    changed: 'the access conditions of {app} changed: gains {gained}; loses {lost}',
    unknown: 'it is not known whom the change of {app} lets in: {why}',
  },
  check({ app, conditionChange }, _options, report) {
    if (conditionChange === undefined) return;
    const { gain, loss } = conditionChange;
    if (gain.verdict === 'unknown')
      report({ messageId: 'unknown', parameters: { app, why: gain.why } });
    else if (gain.verdict === 'new' || loss.verdict !== 'none')
      report({
        messageId: 'changed',
        parameters: { app, gained: gain.who, lost: loss.who },
      });
  },
};
