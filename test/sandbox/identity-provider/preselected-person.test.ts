import pino from 'pino';
import { createHttpServer } from '../../../services/common/http-server.js';
import { registerSignInAsRoute } from '../../../sandbox/identity-provider/preselected-person.js';
import type { Person } from '../../../sandbox/identity-provider/people-and-applications.js';

test.each([
  ['web.localhost:8443', '/signin'],
  ['other.localhost:8443', '/.auth'],
])('a link to the app at %s leads to its sign-in layer below %s', async (host, prefix) => {
  const app = createHttpServer({ logger: pino({ level: 'silent' }) });
  const directory = { person: () => Promise.resolve({ id: 'ada' } as Person) };
  registerSignInAsRoute(app, directory, 'localhost:8443', (each) =>
    each.startsWith('web.') ? '/signin' : '/.auth',
  );
  const target = encodeURIComponent(`https://${host}/cart?id=1`);
  const { statusCode, headers } = await app.inject(`/sign-in-as/ada@contoso.example?to=${target}`);
  await app.close();
  expect([statusCode, headers.location]).toEqual([
    302,
    `https://${host}${prefix}/login/directory?post_login_redirect_uri=%2Fcart%3Fid%3D1`,
  ]);
});
