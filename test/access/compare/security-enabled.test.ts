import { compareAccess } from '../../../access/compare/compare.js';
import { directoryFromSeed } from '../../../access/directory/from-seed.js';
import { type AccessModel, accessModel } from '../../../access/model.js';
import { someone, stackOf } from '../support.js';

const now = Date.parse('2026-11-22T12:00:00Z');
const directory = directoryFromSeed([someone], 'the test');

/** An app for the unified group Staff, which tokens name only while it is security-enabled. */
function modelWithStaff(securityEnabled: boolean, reuseFrom?: AccessModel): AccessModel {
  const config = stackOf(
    { allowedGroups: ['staff'] },
    {
      registrations: {
        login: { displayName: 'Sign-in', groupMembershipClaims: ['SecurityGroup'] },
      },
      principals: { ada: { user: 'ada@contoso.example' } },
      groups: {
        staff: { displayName: 'Staff', kind: 'unified', securityEnabled, members: ['ada'] },
      },
    },
  );
  return accessModel([config], directory, { now, ...(reuseFrom && { reuseFrom }) });
}

test('members lose access where tokens no longer name their group', () => {
  const base = modelWithStaff(true);
  const [change] = compareAccess(modelWithStaff(false, base), base);
  expect(change?.reasons).toMatchObject([
    { direction: 'lost', why: 'tokens do not name staff any more' },
  ]);
});
