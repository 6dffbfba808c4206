import { compareAccess } from '../../../access/compare/compare.js';
import { proveChanges } from '../../../access/prove/change-proof.js';
import { idOf, modelOf, person, stackOf } from '../support.js';

const now = Date.parse('2026-11-22T12:00:00Z');

/** What the proof says of an app that lets in a group by name now, of which ada is a member. */
function gainOf(groupMembershipClaims: string, kindOfOthers: object) {
  const many = Array.from({ length: 201 }, (_, index) => ({
    id: `bbbbbbbb-0000-4000-8000-${String(index).padStart(12, '0')}`,
    displayName: `Group ${String(index)}`,
    members: [idOf('ada')],
    ...kindOfOthers,
  }));
  const seed = { users: [person('ada')], groups: many };
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

test('whom a group lists, and whose token names no groups, does not get in by it', () => {
  const gain = gainOf('All', {});
  expect(gain).toMatchObject({ verdict: 'none' });
  expect(gain?.reasons).toBeUndefined();
});

test('groups that tokens do not name are not counted', () => {
  expect(gainOf('SecurityGroup', { securityEnabled: false })).toMatchObject({ verdict: 'new' });
});
