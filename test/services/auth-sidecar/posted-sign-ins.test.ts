import { SidecarPair } from './support/sidecar-pair.js';
import { request } from './support/raw-client.js';

const sidecars = new SidecarPair();
beforeAll(() => sidecars.start());
afterAll(() => sidecars.stop());

describe('posted sign-ins', () => {
  test.each([
    ['no JSON type', { headers: {}, body: '{}' }, 415],
    [
      'a form',
      { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'access_token=x' },
      415,
    ],
    ['a text', { headers: { 'Content-Type': 'text/plain' }, body: '{"access_token":"x"}' }, 415],
    [
      'broken JSON',
      { headers: { 'Content-Type': 'application/json' }, body: '{"access_token":' },
      400,
    ],
    ['an array', { headers: { 'Content-Type': 'application/json' }, body: '[]' }, 400],
    ['nothing needed', { headers: { 'Content-Type': 'application/json' }, body: '{}' }, 400],
    [
      'a number for a token',
      { headers: { 'Content-Type': 'application/json' }, body: '{"access_token":5}' },
      400,
    ],
    [
      'a huge body',
      {
        headers: { 'Content-Type': 'application/json' },
        body: `{"access_token":"${'x'.repeat(300_000)}"}`,
      },
      413,
    ],
  ])('with %s are refused, with a JSON answer', async (_, shape, status) => {
    const answer = await request(sidecars.restricted.url, {
      method: 'POST',
      path: '/.auth/login/directory',
      ...shape,
      headers: { ...shape.headers, Accept: 'text/html' },
    });
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']?.[0]).toContain('application/json');
    expect(answer.headers['set-cookie']).toBeUndefined();
  });
});
