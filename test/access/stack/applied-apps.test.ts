import { compareAccess } from '../../../access/compare/compare.js';
import { directoryFromSeed } from '../../../access/directory/from-seed.js';
import { accessModel } from '../../../access/model.js';
import { proveChanges } from '../../../access/prove/change-proof.js';
import { appliedModel } from '../../../access/stack/applied-apps.js';
import { idOf, person, stackOf } from '../support.js';

const now = Date.parse('2026-11-22T12:00:00Z');

test.each([
  ['leaves its members to others', { membersManagedElsewhere: true }],
  ['lists no members', {}],
  [
    'has a paused rule',
    { dynamicMembership: { rule: 'user.city -eq "A"', processing: 'Paused' as const } },
  ],
])('an applied group that %s is the same as its declaration', (_case, groupProperties) => {
  const directory = directoryFromSeed(
    [
      {
        users: [person('ada')],
        groups: [
          {
            id: idOf('g'),
            displayName: 'Staff',
            mailNickname: 'staff',
            members: [idOf('ada')],
          },
        ],
      },
    ],
    'the test',
  );
  const config = stackOf(
    { allowedGroups: ['staff'] },
    { groups: { staff: { displayName: 'Staff', ...groupProperties } } },
  );
  const head = accessModel([config], directory, { now });
  const base = { ...appliedModel([], directory, head, now), apps: head.apps };
  expect(base.directory.groups.map(({ declaredName }) => declaredName)).toEqual(['staff']);
  const [proof] = [...proveChanges(compareAccess(head, base), head, base, { now }).values()];
  expect(proof).toMatchObject({ gain: { verdict: 'none' }, loss: { verdict: 'none' } });
});
