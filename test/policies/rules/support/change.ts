import { runRules } from '../../../../policies/engine/run-rules.js';
import type { Rule } from '../../../../policies/engine/rule.js';
import { type Declaration, StackIndex } from '../../../../policies/engine/stack-index.js';

/** What a rule says of a group that was declared in one way, and is now in another. */
export function changeOfGroup(rule: unknown, before: object, after: object): readonly string[] {
  const indexOf = (value: object): StackIndex =>
    new StackIndex(
      {},
      [
        {
          section: 'groups',
          name: 'g',
          value: { displayName: 'G', ...value },
          unknownPaths: [],
          origin: {},
        } as unknown as Declaration,
      ],
      () => [],
      () => undefined,
    );
  return runRules(indexOf(after), [rule as Rule], { scope: 'stack', base: indexOf(before) }).map(
    ({ message }) => message,
  );
}
