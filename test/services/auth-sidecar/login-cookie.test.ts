import { cookieNames } from '../../../services/auth-sidecar/session/cookies.js';
import { KeyRing } from '../../../services/auth-sidecar/session/key-ring.js';
import {
  findLogin,
  loginSetCookies,
  type PendingLogin,
} from '../../../services/auth-sidecar/session/login-cookie.js';

const keys = KeyRing.of([], [], Buffer.alloc(32, 1));
const names = cookieNames('neutral', true);
const origin = 'https://app.example';
const login: PendingLogin = { provider: 'p', landing: '/', expiresAt: 600, seed: 'of-a' };

/** Starts a sign-in. @returns name and value of its cookie */
function startLogin(state: string, pending = login): readonly [string, string] {
  const [line = ''] = loginSetCookies(keys, origin, names, state, pending, [], false, 600);
  const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
  return [name, value];
}

describe('the cookie of a sign-in in progress', () => {
  const [name, value] = startLogin('state-a');
  const find = (cookieName: string, text: string, state = 'state-a', foundAt = origin) =>
    findLogin(keys, foundAt, names, state, [[cookieName, text]])?.login;

  test('gives the sign-in of its state', () => {
    expect(find(name, value)).toEqual(login);
    expect(find(name, value, 'state-b')).toBeUndefined();
  });

  test('is accepted under no other origin of the app', () => {
    expect(find(name, value, 'state-a', 'https://other.example')).toBeUndefined();
    expect(find(name, value, 'state-a', 'http://app.example')).toBeUndefined();
  });

  test('is accepted under no other name: one sign-in does not get the secrets of another', () => {
    const [otherName, otherValue] = startLogin('state-b', { ...login, seed: 'of-b' });
    expect(find(otherName, otherValue, 'state-b')).toMatchObject({ seed: 'of-b' });
    expect(find(otherName, value, 'state-b')).toBeUndefined();
    expect(find(name, otherValue)).toBeUndefined();
  });
});
