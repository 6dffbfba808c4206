import { accessStatements } from '../../access/prove/access-statements.js';
import { idOf, modelOf, stackOf } from './support.js';

const now = Date.parse('2026-11-22T12:00:00Z');

const groups = {
  sales: { displayName: 'Sales', members: [] },
  support: { displayName: 'Support', members: [] },
};

const statementsOf = (directory: object, auth: object = {}) => {
  const model = modelOf(stackOf(directory, { auth, groups }));
  return accessStatements(model, model.apps, { now })[0]?.statements;
};

describe('who can get in, of all possible people', () => {
  it('are members of one of the groups that tokens must name', () => {
    expect(statementsOf({ claimGroups: ['sales', 'support'] })).toEqual([
      'anyone of the directory whose account is enabled and is in sales or support',
    ]);
  });

  it('are those whose tokens have the claims that the sign-in layer asks for', () => {
    expect(statementsOf({ requiredClaims: { department: ['Sales', 'Support'] } })).toEqual([
      'anyone of the directory whose account is enabled and has the claim department with Sales or Support',
    ]);
  });

  it('need more than a sign-in where a path requires it', () => {
    expect(
      statementsOf(
        { allowedGroups: [idOf('g')] },
        { requirements: [{ path: '/Admin', groups: ['sales'] }] },
      ),
    ).toEqual([
      `only members of the group ${idOf('g')}, which is not known`,
      'at /admin only with what it requires, too',
    ]);
  });
});
