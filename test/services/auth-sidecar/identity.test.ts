import { identityOf } from '../../../services/auth-sidecar/session/identity.js';

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
