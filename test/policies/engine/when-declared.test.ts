import { defineRule } from '../../../policies/engine/rule.js';
import { runRules } from '../../../policies/engine/run-rules.js';
import { type Declaration, StackIndex } from '../../../policies/engine/stack-index.js';

const checkedNames: string[] = [];
const hidden = defineRule({
  id: 'hidden',
  title: 'No group hides its members.',
  why: 'It is what this test looks for.',
  severity: 'error',
  source: 'this test',
  sections: ['groups'],
  whenDeclared: 'visibility',
  reads: ['visibility'],
  messages: { hidden: 'hidden' },
  check({ name, value }, context) {
    checkedNames.push(name);
    if (value.visibility === 'HiddenMembership')
      context.report({ messageId: 'hidden', path: ['visibility'] });
  },
});

const group = (
  name: string,
  value: object,
  unknownPaths: Declaration['unknownPaths'] = [],
): Declaration =>
  ({ section: 'groups', name, value, unknownPaths, origin: {} }) as unknown as Declaration;

const run = (...groups: readonly Declaration[]): readonly string[] => {
  checkedNames.length = 0;
  const index = new StackIndex(
    {},
    groups,
    () => [],
    () => undefined,
  );
  return runRules(index, [hidden], { scope: 'stack' }).map(
    ({ verdict, path }) => `${verdict} ${path?.join('.')}`,
  );
};

describe('a rule that needs a property', () => {
  it('is only run on declarations that have it', () => {
    const findings = run(
      group('plain', {}),
      group('open', { visibility: 'Public' }),
      group('closed', { visibility: 'HiddenMembership' }),
    );
    expect(findings).toEqual(['fail groups.closed.visibility']);
    expect(checkedNames).toEqual(['open', 'closed']);
  });

  it('is unknown if the property is known only later', () => {
    expect(run(group('later', {}, [['visibility']]))).toEqual(['unknown groups.later.visibility']);
  });

  it('finds nothing if another property that it reads is known only later', () => {
    const ruleWithTwoReads = { ...hidden, reads: ['visibility', 'owners'] };
    const index = new StackIndex(
      {},
      [group('later', {}, [['owners']]), group('open', { visibility: 'Public' }, [['owners']])],
      () => [],
      () => undefined,
    );
    expect(
      runRules(index, [ruleWithTwoReads], { scope: 'stack' }).map(
        ({ verdict, path }) => `${verdict} ${path?.join('.')}`,
      ),
    ).toEqual(['unknown groups.open.owners']);
  });
});
