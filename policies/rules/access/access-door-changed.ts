import type { AccessRule } from '../../engine/access-rule.js';

export const accessDoorChanged: AccessRule = {
  id: 'access-door-changed',
  title: 'A change leaves who can get into an app as it is, for all possible people.',
  why: 'A rule that matches nobody today lets in whoever matches it tomorrow, and a list of people does not show it.',
  severity: 'info',
  source:
    'Sign-in rules, "Authentication" 3 and 4; Directory rules, "Group properties", `membershipRule`',
  messages: {
    changed: 'who can get into {app} changed: gains {gained}; loses {lost}',
    undecided: 'it is not known whom the change of {app} lets in: {why}',
  },
  check({ app, changeProof }, _options, report) {
    if (changeProof === undefined) return;
    const { gain, loss } = changeProof;
    if (gain.verdict === 'unknown')
      report({ messageId: 'undecided', parameters: { app, why: gain.why } });
    else if (gain.verdict === 'new' || loss.verdict !== 'none')
      report({
        messageId: 'changed',
        parameters: { app, gained: gain.who, lost: loss.who },
      });
  },
};
