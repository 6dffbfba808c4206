import { runRules } from '../../../../policies/engine/run-rules.js';
import { type Declaration, StackIndex } from '../../../../policies/engine/stack-index.js';
import { changeDeletes } from '../../../../policies/rules/declaration/change-deletes.js';

const house = (name: string, displayName: string): Declaration =>
  ({
    section: 'eventhouses',
    name,
    value: { workspace: 'w', displayName },
    unknownPaths: [],
    origin: {},
  }) as Declaration;
const indexOf = (...declarations: Declaration[]): StackIndex =>
  new StackIndex(
    {},
    declarations,
    () => [],
    () => undefined,
  );
const messagesOf = (base: StackIndex, head: StackIndex): readonly string[] =>
  runRules(head, [changeDeletes], { scope: 'stack', base }).map(({ message }) => message);

describe('a change that deletes', () => {
  it('says what is lost', () => {
    expect(messagesOf(indexOf(house('a', 'clicks')), indexOf())).toEqual([
      '"a" is gone: the eventhouse is deleted with all its data',
    ]);
  });

  it('mentions that a new name in the file is not a renaming', () => {
    expect(messagesOf(indexOf(house('a', 'clicks')), indexOf(house('b', 'clicks')))).toEqual([
      '"a" is gone, and "b" has its display name: it is not renamed, the eventhouse is deleted with all its data, and another one is created; keep the name "a"',
    ]);
  });

  it('does not mistake an existing declaration for the new name', () => {
    expect(
      messagesOf(
        indexOf(house('a', 'clicks'), house('b', 'clicks')),
        indexOf(house('b', 'clicks')),
      ),
    ).toEqual(['"a" is gone: the eventhouse is deleted with all its data']);
  });
});
