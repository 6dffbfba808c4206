import fc from 'fast-check';
import { findPerson } from '../../access/answer/find-person.js';
import { overview } from '../../access/answer/overview.js';
import { chainText } from '../../access/answer/text.js';
import { visit } from '../../access/answer/visit.js';
import { directoryFromSeed } from '../../access/directory/from-seed.js';
import { accessModel } from '../../access/model.js';
import { type RecordingApp, startRecordingApp } from '../services/auth-sidecar/support/recording-app.js';
import { startUnderTest } from '../services/auth-sidecar/support/harness.js';
import { runs } from '../support/property-tests.js';
import { type AppliedDirectory, applyToDirectory, authBody } from './truth/applied.js';
import { freshBrowser, type SignedInBrowser, signInBrowser } from './truth/browser.js';
import { configOf, ids, nameOf, seedOf } from './truth/declared.js';
import { asked, drawnStack, type DrawnStack } from './truth/draw.js';
import { anySecret, type RunningIdentityProvider, startIdentityProvider } from './truth/identity-provider.js';

let identityProvider: RunningIdentityProvider;
let upstream: RecordingApp;

beforeAll(async () => {
  [identityProvider, upstream] = await Promise.all([startIdentityProvider(), startRecordingApp()]);
});
afterAll(async () => {
  await upstream.close();
  await identityProvider.close();
});

/** What a browser gets at a path: with its session, or else what its sign-in ended with. */
async function seen(browser: SignedInBrowser, path: string): Promise<number> {
  const status = await browser.get(path);
  return browser.callback === 403 && [302, 401, 403].includes(status) ? 403 : status;
}

/** Every answer that differs from what the browser got; nothing, when all is well. */
async function differences(stack: DrawnStack): Promise<string[]> {
  const model = accessModel([configOf(stack)], directoryFromSeed([seedOf(stack)], 'the draw'), { now: Date.now() });
  const [app] = model.apps;
  if (app === undefined) throw new Error('the draw has no app');
  const entrants = overview(model)[0]?.entrants;
  const sidecar = await startUnderTest({
    config: {},
    upstream: upstream.url,
    endpoints: { azureActiveDirectory: { issuer: identityProvider.issuer } },
    secrets: { 'directory-secret': anySecret, 'codehost-secret': anySecret },
  });
  let directory: AppliedDirectory | undefined;
  const found: string[] = [];
  const compare = async (who: string, browser: SignedInBrowser, place: number | undefined): Promise<void> => {
    for (const path of asked) {
      const { answer, chain } = visit(model, app, path, place);
      if (answer.by === 'own-path') continue;
      const status = await seen(browser, path);
      if (found.length > 2) return;
      // the stranger among the groups can't be known, and no one is in it
      const told = answer.allowed === 'unknown' ? 403 : answer.status;
      if (told !== status) found.push(`${who} at ${path}: answered ${String(told)}, got ${String(status)}\n${chainText(chain)}`);
    }
  };
  try {
    directory = await applyToDirectory(stack, sidecar.listening);
    identityProvider.use(directory.app);
    sidecar.write(authBody(stack, directory.groups));
    sidecar.reload();
    await compare('anonymous', freshBrowser(sidecar.listening), undefined);
    for (const at of stack.people.keys()) {
      const browser = await signInBrowser(sidecar.listening, stack.auth.apiPrefix ?? '/.auth', ids.person(at));
      const place = findPerson(nameOf(at), model.memberships, []);
      await compare(nameOf(at), browser, place);
      const enabled = stack.auth.enabled !== false;
      if (enabled && entrants?.in.has(place) !== (browser.callback === 302))
        found.push(`${nameOf(at)} among everyone: ${String(entrants?.in.has(place))}, got ${String(browser.callback)}`);
    }
  } finally {
    await sidecar.stop();
    await directory?.close();
  }
  return found;
}

test('what access says is what browsers get from the real sign-in layer, identity provider and directory', async () => {
  await fc.assert(
    fc.asyncProperty(drawnStack, async (stack) => {
      expect(await differences(stack)).toEqual([]);
    }),
    { numRuns: runs(10), endOnFailure: true },
  );
});
