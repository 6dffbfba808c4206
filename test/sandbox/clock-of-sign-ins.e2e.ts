import { decodeJwt } from 'jose';
import { type BrowserFetch, openBrowser } from '../../sandbox/testing/browser.js';
import { castellan } from '../support/cli.js';
import {
  authSettings,
  declareApp,
  people,
  register,
  startSandbox,
  type TestSandbox,
  until,
} from './e2e-support.js';

// a page replaces an image where no container engine is available
beforeAll(() => void vi.stubEnv('DOCKER_HOST', 'unix:///nowhere/docker.sock'));
afterAll(() => void vi.unstubAllEnvs());

let sandbox: TestSandbox;
let browser: BrowserFetch;
const home = (path = '/'): string => `https://shop.localhost:${sandbox.settings.port}${path}`;
const daySeconds = 86_400;

beforeAll(async () => {
  sandbox = await startSandbox();
  const { appId, secret } = await register(sandbox, 'shop');
  const app = await declareApp(sandbox, 'shop', [{ name: 'directory-secret', value: secret }]);
  await sandbox.api(
    'PUT',
    `${app}/authConfigs/current?api-version=2025-07-01`,
    authSettings(appId),
  );
  await until('the sign-in layer', async () =>
    (await sandbox.send('GET', home('/healthz'))).status === 200 ? true : undefined,
  );
  browser = await openBrowser(sandbox.ca);
});
afterAll(() => sandbox?.stop());

const moveClock = async (change: string): Promise<void> => {
  const { exitCode, stderr } = await castellan(['sandbox', 'clock', change], {
    cwd: sandbox.folder,
  });
  if (exitCode !== 0) throw new Error(stderr);
};
const signIn = async (): Promise<Record<string, unknown>> => {
  const link = `${sandbox.origin}/sign-in-as/${people.ada}?to=${encodeURIComponent(home())}`;
  const landed = await browser(link);
  expect([landed.status, new URL(landed.url).host]).toEqual([200, new URL(home()).host]);
  const me = (await (await browser(home('/.auth/me'))).json()) as [{ id_token: string }];
  return decodeJwt(me[0].id_token);
};
const visit = async (): Promise<number> => (await browser(home(), { redirect: 'manual' })).status;
const secondsOff = (seconds: unknown, aheadSeconds: number): number =>
  Math.abs(Number(seconds) - aheadSeconds - Date.now() / 1000);

test('sessions, sign-ins and tokens of people follow the clock of the sandbox', async () => {
  const before = await signIn();
  expect(secondsOff(before['iat'], 0)).toBeLessThan(60);
  expect(await visit()).toBe(200);

  await moveClock('+7h');
  expect(await visit()).toBe(200);

  await moveClock('+1h');
  expect(await visit()).toBe(401);

  await moveClock('+30d');
  const { pathname } = new URL((await browser(home('/.auth/login/directory'))).url);
  expect(pathname).toContain('/sign-in/'); // the identity provider's own session is over, too
  const after = await signIn();
  const ahead = 30 * daySeconds + 8 * 3600;
  expect(secondsOff(after['iat'], ahead)).toBeLessThan(60);
  expect(secondsOff(after['exp'], ahead + 3600)).toBeLessThan(60);
  expect(await visit()).toBe(200);
});
