import { dropClaimsToFit } from '../../../services/auth-sidecar/session/claims.js';
import { identityOf } from '../../../services/auth-sidecar/session/identity.js';
import { principalClaims } from '../../../services/auth-sidecar/session/principal.js';

describe('who signed in', () => {
  test.each<[string, Record<string, unknown>, string, string]>([
    [
      'someone of the directory',
      { oid: 'o', sub: 's', name: 'Ada', preferred_username: 'ada@x.example' },
      'o',
      'Ada',
    ],
    [
      'someone whose token gives no name',
      { sub: 's', preferred_username: 'ada@x.example', email: 'a@x.example' },
      's',
      'ada@x.example',
    ],
    [
      'someone known by an address',
      { sub: 's', email: 'a@x.example', nickname: 'a' },
      's',
      'a@x.example',
    ],
    [
      'someone of the code host',
      { id: 42, login: 'octo', name: 'Octo Cat', email: 'o@x.example' },
      '42',
      'Octo Cat',
    ],
    [
      'someone of the code host without a name',
      { id: 42, login: 'octo', name: null, email: 'o@x.example' },
      '42',
      'octo',
    ],
    [
      'someone of the microblog',
      { id: 7, id_str: '70', screen_name: 'grace', email: 'g@x.example' },
      '70',
      'grace',
    ],
    ['an application', { oid: 'sp', sub: 'sp', azp: 'daemon' }, 'sp', 'daemon'],
    ['someone of whom nothing else is known', { sub: 's' }, 's', 's'],
  ])('%s has the id and the name in the claims', (_, claims, id, name) => {
    expect(identityOf(claims)).toMatchObject({ id, name });
  });

  test('a configured claim has priority, with the usual ones as fallback', () => {
    expect(identityOf({ sub: 's', name: 'Ada', badge: 'A-1' }, 'badge')?.name).toBe('A-1');
    expect(identityOf({ sub: 's', name: 'Ada' }, 'badge')?.name).toBe('Ada');
  });

  test('claims without an id give no identity', () => {
    expect(identityOf({ name: 'Ada' })).toBeUndefined();
    expect(identityOf({ sub: '', name: 'Ada' })).toBeUndefined();
  });
});

describe('claims that do not fit', () => {
  const rules = { groups: ['staff'], claimNames: ['level'], requiredClaimNames: [] };
  const claims = {
    sub: 's',
    long: 'x'.repeat(300),
    longer: 'x'.repeat(400),
    level: 'x'.repeat(500),
    groups: ['staff', ...Array.from({ length: 50 }, (_, index) => `group-${index}`)],
  };
  const fitting = (bytes: number): object =>
    dropClaimsToFit(claims, rules, (each) => JSON.stringify(each).length > bytes);

  test('lose groups that no rule names, then the longest, and last what rules read', () => {
    const { long, longer, level, sub } = claims;
    expect(fitting(10_000)).toBe(claims);
    const groups = ['staff'];
    expect(fitting(1300)).toEqual({ sub, long, longer, level, groups });
    expect(fitting(1000)).toEqual({ sub, long, level, groups });
    expect(fitting(600)).toEqual({ sub, level, groups });
    expect(fitting(100)).toEqual({ groups });
    expect(fitting(10)).toEqual({});
  });

  test('are found in few attempts, however many there are', () => {
    const many = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, index) => [`c${index}`, '1']),
    );
    let attempts = 0;
    const kept = dropClaimsToFit(many, rules, (each) => {
      attempts++;
      return JSON.stringify(each).length > 9000;
    });
    expect(JSON.stringify(kept).length).toBeGreaterThan(8900);
    expect(attempts).toBeLessThan(30);
  });
});

test.each(['constructor', '__proto__'])('the claim %s keeps its name for the cloud', (name) => {
  const identity = identityOf(
    JSON.parse(`{"sub": "s", "${name}": "x"}`) as Record<string, unknown>,
  );
  expect(identity && principalClaims(identity, 'azure')).toContainEqual({ typ: name, val: 'x' });
});
