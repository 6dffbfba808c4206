import fc from 'fast-check';
import { directoryFromSeed } from '../../access/directory/from-seed.js';
import type { DirectorySnapshot } from '../../access/directory/records.js';
import { accessModel, type AccessModel } from '../../access/model.js';
import { idOf, person } from './support.js';

const names = ['a', 'b', 'c', 'd', 'e'];
const users = ['ada', 'grace', 'mary'].map((name, index) =>
  person(name, { department: index === 0 ? 'Retail' : 'Other' }),
);
const groupDefinition = fc.record({
  members: fc.subarray([...names, 'ada', 'grace', 'mary', 'gone']),
  rule: fc.option(fc.constantFrom('user.department -eq "Retail"', 'user.department -ne "Retail"'), {
    nil: undefined,
    freq: 4,
  }),
});
const directory = fc.array(groupDefinition, { minLength: names.length, maxLength: names.length });

function group(
  name: string,
  { members, rule }: { members: string[]; rule: string | undefined },
): Record<string, unknown> {
  const dynamic =
    rule === undefined
      ? { members: members.map(idOf) }
      : { groupTypes: ['DynamicMembership'], membershipRule: rule };
  return { id: idOf(name), displayName: name, ...dynamic };
}

function membersOf({ memberships }: AccessModel): unknown {
  return memberships.groups.map((each) => [
    each.record.id,
    [...memberships.allMembers(each)],
    memberships.hasUnknownMembers(each),
  ]);
}

test('reused memberships equal recalculated ones', () => {
  fc.assert(
    fc.property(
      directory,
      directory,
      fc.subarray(names),
      fc.nat(4),
      (before, after, changed, removed) => {
        const snapshot = directoryFromSeed(
          [{ users, groups: names.map((name, index) => group(name, before[index]!)) }],
          'before',
        );
        const base = accessModel([], snapshot, { now: 0 });
        membersOf(base);
        const next = directoryFromSeed(
          [{ users, groups: names.map((name, index) => group(name, after[index]!)) }],
          'after',
        );
        const groups = snapshot.groups
          .map((record, index) => (changed.includes(names[index]!) ? next.groups[index]! : record))
          .filter((_record, index) => index !== removed);
        const head: DirectorySnapshot = { ...snapshot, groups };
        expect(membersOf(accessModel([], head, { now: 0, reuseFrom: base }))).toEqual(
          membersOf(accessModel([], head, { now: 0 })),
        );
      },
    ),
  );
});
