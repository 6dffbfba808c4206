import { type AccessRule, peopleCountText } from '../../engine/access-rule.js';

export const accessLostEveryone: AccessRule = {
  id: 'access-lost-everyone',
  title: 'A change leaves someone who gets into an app.',
  why: 'An app that no one can sign in to is down for everyone, while nothing says so.',
  severity: 'error',
  source:
    'Sign-in rules, "Authentication" 3; Directory rules, "Group properties", `membershipRule`',
  messages: {
    none: 'everyone who got into {app} loses access ({count}): {why}',
    shut: 'nobody can get into {app} any more, whatever their attributes: {why}',
  },
  check({ app, lostCount, countAfter, whyLost, gainedPublicPaths, changeProof }, _options, report) {
    if (gainedPublicPaths.includes('/*')) return; // access-widened says that it is open to everyone
    if (lostCount > 0 && countAfter === 0)
      report({
        messageId: 'none',
        parameters: { app, count: peopleCountText(lostCount), why: whyLost },
      });
    else if (changeProof?.isClosed === true)
      report({ messageId: 'shut', parameters: { app, why: changeProof.loss.why } });
  },
};
