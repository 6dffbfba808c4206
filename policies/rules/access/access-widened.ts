import { Boolean as Flag, Integer, Object as ObjectSchema, Optional } from '@sinclair/typebox';
import { type AccessRule, peopleCountText } from '../../engine/access-rule.js';

const defaultLimit = 100;

export const accessWidened: AccessRule = {
  id: 'access-widened',
  title: 'A change lets in no more people than are allowed at once, and no one from outside.',
  why: 'One word of a rule or a list can open an app to a whole company, to guests, or to anyone with an account elsewhere.',
  severity: 'warning',
  source:
    'Sign-in rules, "Authentication" 3 and 4; Directory rules, "Group properties", `membershipRule`',
  options: ObjectSchema({
    atMost: Optional(
      Integer({
        minimum: 0,
        description: `How many people may gain access to an app by one change. Default: ${String(defaultLimit)}.`,
      }),
    ),
    outside: Optional(
      Flag({
        description:
          'Whether guests, accounts elsewhere and browsers without a session may gain access. Default: false.',
      }),
    ),
    proof: Optional(
      Flag({
        description:
          'Whether to report, for information, that somebody may exist who gains access although nobody known does. Default: true.',
      }),
    ),
  }),
  messages: {
    many: '{count} can get into {app} since the change, more than {allowed}: {why}',
    guests: '{count} from outside (guests) can get into {app} since the change: {why}',
    anyone: 'anyone with an account at {given} gets into {app}',
    public: '{given} of {app} becomes public',
    open: '{app} is open to everyone now, without a sign-in',
    possible: 'since the change {app} would let in {given}: {why}',
    perhaps: 'since the change {app} may let in {given}: {why}',
  },
  check(
    {
      app,
      gainedCount,
      gainedGuestCount,
      gainedPublicPaths,
      openedProviders,
      whyGained,
      changeProof,
    },
    { atMost = defaultLimit, outside = false, proof = true },
    report,
  ) {
    const isReported =
      gainedCount > Number(atMost) ||
      (outside !== true &&
        gainedGuestCount + gainedPublicPaths.length + openedProviders.length > 0);
    if (proof === true && !isReported && changeProof !== undefined) {
      const { verdict, who, why, uncertainWho } = changeProof.gain;
      const given = verdict === 'new' ? who : uncertainWho;
      if (given !== undefined)
        report({
          messageId: verdict === 'new' ? 'possible' : 'perhaps',
          severity: 'info',
          parameters: { app, given, why },
        });
    }
    if (gainedCount > Number(atMost))
      report({
        messageId: 'many',
        parameters: { app, count: peopleCountText(gainedCount), allowed: atMost, why: whyGained },
      });
    if (outside === true) return;
    if (gainedGuestCount > 0)
      report({
        messageId: 'guests',
        parameters: { app, count: peopleCountText(gainedGuestCount), why: whyGained },
      });
    for (const text of openedProviders)
      report({
        messageId: 'anyone',
        path: ['auth', 'providers'],
        parameters: { app, given: text },
      });
    for (const text of gainedPublicPaths)
      report({
        messageId: text === '/*' ? 'open' : 'public',
        path: text === '/*' ? ['auth'] : ['auth', 'excludedPaths'],
        parameters: { app, given: text },
      });
  },
};
