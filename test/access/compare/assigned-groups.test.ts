import { controllersOf } from '../../../access/answer/controllers.js';
import { type AppChange, compareAccess } from '../../../access/compare/compare.js';
import { directoryFromSeed } from '../../../access/directory/from-seed.js';
import { type AccessModel, accessModel } from '../../../access/model.js';
import { proveChanges } from '../../../access/prove/change-proof.js';
import type { ChangeProof } from '../../../access/prove/proof.js';
import { idOf, insiders, someone, stackOf } from '../support.js';

const now = Date.parse('2026-11-22T12:00:00Z');

/** A directory in which the group Staff has a role of the application, whose sign-in needs one. */
const directory = directoryFromSeed(
  [
    {
      ...someone,
      applications: [{ id: idOf('app'), appId: idOf('client'), displayName: 'Sign-in' }],
      servicePrincipals: [
        {
          id: idOf('principal'),
          appId: idOf('client'),
          displayName: 'Sign-in',
          appRoleAssignedTo: [{ principalId: idOf('staff'), appRoleId: idOf('role') }],
        },
      ],
      groups: [
        {
          id: idOf('staff'),
          displayName: 'Staff',
          mailNickname: 'staff',
          members: [idOf('ada')],
          owners: [idOf('grace')],
        },
      ],
    },
  ],
  'the test',
);

function modelWithStaff(staff: object, reuseFrom?: AccessModel): AccessModel {
  const config = stackOf(
    {},
    {
      registrations: { login: { displayName: 'Sign-in', assignmentRequired: true } },
      principals: {
        ada: { user: 'ada@contoso.example' },
        grace: { user: 'grace@contoso.example' },
      },
      groups: { staff: { displayName: 'Staff', ...staff } },
    },
  );
  return accessModel([config], directory, { now, ...(reuseFrom && { reuseFrom }) });
}

function compared(
  before: object,
  after: object,
): { readonly change: AppChange | undefined; readonly proof: ChangeProof | undefined } {
  const base = modelWithStaff(before);
  const head = modelWithStaff(after, base);
  const changes = compareAccess(head, base);
  const [proof] = [...proveChanges(changes, head, base, { now }).values()];
  return { change: changes[0], proof };
}

test('members of an assigned group get in', () => {
  expect(insiders(modelWithStaff({ members: ['ada'] }))).toEqual(['ada']);
});

test('a new member of an assigned group gains access', () => {
  const { change, proof } = compared({ members: ['ada'] }, { members: ['ada', 'grace'] });
  expect([...(change?.gained ?? [])]).toHaveLength(1);
  expect(change?.reasons).toMatchObject([
    { direction: 'gained', why: 'added to staff', way: ['staff'] },
  ]);
  expect(proof?.gain).toMatchObject({ verdict: 'new', admittedBy: 'a role of login' });
  expect(proof?.loss).toEqual({ verdict: 'none' });
});

test('a rule of an assigned group decides who gains access', () => {
  const rule = (text: string): object => ({ dynamicMembership: { rule: text } });
  const { change, proof } = compared(
    rule('user.department -eq "Retail" -and user.userType -ne "Guest"'),
    rule('user.department -eq "Retail"'),
  );
  expect(change?.reasons).toMatchObject([
    { direction: 'gained', why: expect.stringContaining('the rule of staff is now') as string },
  ]);
  expect(proof?.gain.example).toMatchObject({ attributes: { userType: 'Guest' } });
});

test('a member who leaves an assigned group loses access', () => {
  const { change, proof } = compared({ members: ['ada', 'grace'] }, { members: ['ada'] });
  expect(change?.reasons).toMatchObject([{ direction: 'lost', why: 'removed from staff' }]);
  expect(proof?.loss.verdict).toBe('new');
});

test('the owner of an assigned group can let others in', () => {
  const model = modelWithStaff({ members: ['ada'], ownersManagedElsewhere: true });
  const [app] = model.apps;
  expect(app && controllersOf(app, model)).toMatchObject([
    { who: 'grace@contoso.example', by: 'owner of staff' },
  ]);
});
