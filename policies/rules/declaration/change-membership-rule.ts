import { RuleProver } from '../../../kinds/membership-rule/prove/index.js';
import { defineRule } from '../../engine/rule.js';
import { effortOfCheck, ruleOfGroup } from '../../model/membership-rules.js';

export const changeMembershipRule = defineRule({
  id: 'change-membership-rule',
  title: 'The rule of a group stays as it is, or its change says whom it adds and leaves out.',
  why: 'A rule that was only rewritten can be approved without a second look, one that selects others not.',
  severity: 'info',
  source: 'Directory rules, "Group properties", `membershipRule`',
  sections: ['groups'],
  scope: 'change',
  messages: {
    same: 'the rule is rewritten and selects exactly the same people, whatever their attributes',
    others: 'the rule selects others: it adds {added}, and leaves out {left}',
    unknown: 'it is not known whether the rule selects others: {why}',
  },
  check({ name, value }, context) {
    const after = ruleOfGroup(value);
    const before = ruleOfGroup(context.base?.find('groups', name)?.value ?? {});
    if (after === undefined || before === undefined || after.rule.text === before.rule.text) return;
    const prover = new RuleProver({ now: context.now.getTime(), effort: effortOfCheck });
    const addition = prover.findOnlyIn(after.rule, before.rule);
    const omission = prover.findOnlyIn(before.rule, after.rule);
    const report = (messageId: string, parameters: Readonly<Record<string, unknown>>): void => {
      context.report({
        messageId,
        path: after.path,
        parameters: { given: after.rule.text, ...parameters },
      });
    };
    if (addition.verdict === 'none' && omission.verdict === 'none') report('same', {});
    else if (addition.verdict === 'unknown' || omission.verdict === 'unknown')
      report('unknown', { why: [...new Set([...addition.why, ...omission.why])].join('; ') });
    else
      report('others', {
        added: describeExample(addition.example),
        left: describeExample(omission.example),
      });
  },
});

function describeExample(example: Readonly<Record<string, unknown>> | undefined): string {
  if (example === undefined) return 'nobody';
  const texts = Object.entries(example).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return texts.length === 0 ? 'everybody' : `people with ${texts.join(' and ')}`;
}
