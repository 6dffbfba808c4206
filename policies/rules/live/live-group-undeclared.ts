import {
  Array as ListSchema,
  Object as ObjectSchema,
  Optional,
  String as Text,
} from '@sinclair/typebox';
import type { LiveRule } from '../../engine/live-rule.js';

/**
 * Runs once for all stacks, where its options say which groups are theirs. `x-demand` marks options
 * that demand: a change that removes some of their entries weakens the rule (`policy-weakened`).
 */
export const liveGroupUndeclared: Omit<LiveRule, 'check'> & { readonly check: undefined } = {
  id: 'live-group-undeclared',
  title: 'Every group of ours in the directory is declared.',
  why: 'A group that someone made by hand, or that a stack left behind, has members whom no review has seen. The options say which groups are ours; without them nothing is judged.',
  severity: 'warning',
  source: 'Directory rules, "Group properties" and "Group relationships"',
  options: ObjectSchema({
    prefixes: Optional(
      ListSchema(Text({ minLength: 1 }), {
        'x-demand': true,
        description: 'What the display names and mail nicknames of our groups begin with.',
      }),
    ),
    owners: Optional(
      ListSchema(Text({ minLength: 1 }), {
        'x-demand': true,
        description: 'The user principal names or ids of users whose groups are ours.',
      }),
    ),
  }),
  messages: {
    undeclared: 'the directory has the group "{given}" ({id}), which no stack declares: {reason}',
  },
  check: undefined,
};
