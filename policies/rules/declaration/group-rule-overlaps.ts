import {
  Array as ListSchema,
  Object as ObjectSchema,
  Optional,
  String as Text,
} from '@sinclair/typebox';
import { RuleProver } from '../../../kinds/membership-rule/prove/index.js';
import { defineRule } from '../../engine/rule.js';
import { effortOfCheck, ruleOfGroup } from '../../model/membership-rules.js';

export const groupRuleOverlaps = defineRule({
  id: 'group-rule-overlaps',
  title: 'Nobody can be in two groups that have no member in common.',
  why: 'Duties are separated by groups: somebody in both can approve their own orders.',
  severity: 'error',
  source: 'the policy, or `disjoint: true` in the access test beside the configuration',
  sections: ['groups'],
  scope: 'stack',
  reads: ['dynamicMembership', 'membershipRule'],
  options: ObjectSchema({
    disjoint: Optional(
      ListSchema(ListSchema(Text({ minLength: 1 }), { minItems: 2 }), {
        description: 'Names of groups of which no two have a member in common.',
      }),
    ),
  }),
  messages: {
    overlaps: '{given} and {other} can have a member in common: somebody with {example}',
    // for the access test, whose expectations `castellan check` runs
    tested: '{reason}',
  },
  check({ name, value }, context) {
    const ownRule = ruleOfGroup(value);
    if (ownRule === undefined) return;
    const { disjoint = [] } = context.options as {
      readonly disjoint?: readonly (readonly string[])[];
    };
    const others = new Set(
      disjoint.flatMap((names) =>
        names.includes(name) ? names.slice(0, names.indexOf(name)) : [],
      ),
    );
    for (const other of others) {
      const otherRule = ruleOfGroup(context.index.find('groups', other)?.value ?? {});
      if (otherRule === undefined) continue;
      const prover = new RuleProver({ now: context.now.getTime(), effort: effortOfCheck });
      const { verdict, example = {} } = prover.findInBoth(ownRule.rule, otherRule.rule);
      if (verdict !== 'some') continue;
      const texts = Object.entries(example).map(
        ([attribute, each]) => `${attribute} ${JSON.stringify(each)}`,
      );
      context.report({
        messageId: 'overlaps',
        path: ownRule.path,
        parameters: { given: name, other, example: texts.join(', ') },
      });
    }
  },
});
