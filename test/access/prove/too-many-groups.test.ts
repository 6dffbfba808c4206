import { compareAccess } from '../../../access/compare/compare.js';
import { proveChanges } from '../../../access/prove/change-proof.js';
import { idOf, modelOf, person, stackOf } from '../support.js';

const now = Date.parse('2026-11-22T12:00:00Z');

/**
 * Proves who gains access when an app admits staff, the group of ada, who is in 201 other groups.
 */
function gainOf(groupMembershipClaims: string, groupProperties: object) {
  const groups = Array.from({ length: 201 }, (_, index) => ({
    id: `bbbbbbbb-0000-4000-8000-${String(index).padStart(12, '0')}`,
    displayName: `Group ${String(index)}`,
    members: [idOf('ada')],
    ...groupProperties,
  }));
  const seed = { users: [person('ada')], groups };
  const model = (directory: object) =>
    modelOf(
      stackOf(directory, {
        groups: {
          staff: { displayName: 'Staff', members: [idOf('ada')] },
          none: { displayName: 'None', members: [] },
        },
        registrations: {
          login: { displayName: 'Sign-in', groupMembershipClaims: [groupMembershipClaims] },
        },
      }),
      seed,
    );
  const [base, head] = [model({ allowedGroups: ['none'] }), model({ allowedGroups: ['staff'] })];
  const [proof] = [...proveChanges(compareAccess(head, base), head, base, { now }).values()];
  return proof?.gain;
}

test('a member of an allowed group does not gain access if the token names no groups', () => {
  const gain = gainOf('All', {});
  expect(gain).toMatchObject({ verdict: 'none' });
  expect(gain?.reasons).toBeUndefined();
});

test('groups that tokens do not name are not counted', () => {
  expect(gainOf('SecurityGroup', { securityEnabled: false })).toMatchObject({ verdict: 'new' });
});
