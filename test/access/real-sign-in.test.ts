import fc from 'fast-check';
import { findPersonIndex } from '../../access/answer/find-person.js';
import { accessOverview } from '../../access/answer/overview.js';
import { chainText } from '../../access/answer/report.js';
import { decideVisit } from '../../access/answer/visit.js';
import { directoryFromSeed } from '../../access/directory/from-seed.js';
import { accessModel } from '../../access/model.js';
import { runs } from '../support/property-tests.js';
import { authBody } from './real-sign-in/applied.js';
import { freshBrowser, type SignedInBrowser, signInBrowser } from './real-sign-in/browser.js';
import { configOf, ids, nameOf, seedOf } from './real-sign-in/declared.js';
import {
  requestPaths,
  drawnStack,
  type DrawnStack,
  firstSeededGroup,
} from './real-sign-in/draw.js';
import { type SignInLayer, startSignInLayer } from './real-sign-in/sign-in-layer.js';

let layer: SignInLayer;
beforeAll(async () => {
  layer = await startSignInLayer();
});
afterAll(() => layer.stop());

/** What a browser gets at a path: with its session, or else what its sign-in ended with. */
async function statusSeen(browser: SignedInBrowser, path: string): Promise<number> {
  const status = await browser.get(path);
  const { callbackStatus = 0 } = browser;
  // 502: the groups that the token leaves out can't be looked up
  return [403, 502].includes(callbackStatus) && [302, 401, 403].includes(status)
    ? callbackStatus
    : status;
}

/** Every answer that differs from what the browser got; nothing, when all is well. */
async function differences(stack: DrawnStack): Promise<string[]> {
  const model = accessModel([configOf(stack)], directoryFromSeed([seedOf(stack)], 'the draw'), {
    now: Date.now(),
  });
  const [app] = model.apps;
  if (app === undefined) throw new Error('the draw has no app');
  const entrants = accessOverview(model)[0]?.entrants;
  const differencesFound: string[] = [];
  const compare = async (
    who: string,
    browser: SignedInBrowser,
    personIndex: number | undefined,
  ): Promise<void> => {
    for (const path of requestPaths) {
      const { answer, chain } = decideVisit(model, app, path, personIndex);
      if (answer.decidedBy === 'own-path') continue;
      const status = await statusSeen(browser, path);
      // an app whose layer is off has none: the one that is tried here still refuses bad requests
      if (answer.decidedBy === 'no-layer' && [400, 404].includes(status)) continue;
      if (differencesFound.length > 2) return;
      // the stranger among the groups can't be known, and no one is in it
      const answeredStatus = answer.allowed === 'unknown' ? 403 : answer.status;
      if (answeredStatus !== status)
        differencesFound.push(
          `${who} at ${path}: answered ${String(answeredStatus)}, got ${String(status)}\n${chainText(chain)}`,
        );
    }
  };
  const { directory, sidecar } = layer;
  sidecar.write(authBody(stack, await directory.apply(stack, sidecar.url)));
  sidecar.reload();
  await compare('anonymous', freshBrowser(sidecar.url), undefined);
  for (const personNumber of stack.people.keys()) {
    const browser = await signInBrowser(
      sidecar.url,
      stack.auth.apiPrefix ?? '/.auth',
      ids.person(personNumber),
    );
    const personIndex = findPersonIndex(nameOf(personNumber), model.memberships, []);
    await compare(nameOf(personNumber), browser, personIndex);
    const isEnabled = stack.auth.enabled !== false;
    if (isEnabled && entrants?.admitted.has(personIndex) !== (browser.callbackStatus === 302))
      differencesFound.push(
        `${nameOf(personNumber)} among everyone: ${String(entrants?.admitted.has(personIndex))}, got ${String(browser.callbackStatus)}`,
      );
  }
  return differencesFound;
}

test('castellan access predicts what browsers get from the real sign-in layer, identity provider and directory', async () => {
  await fc.assert(
    fc.asyncProperty(drawnStack, async (stack) => {
      expect(await differences(stack)).toEqual([]);
    }),
    { numRuns: runs(20), endOnFailure: true },
  );
});

const ada: DrawnStack['people'][number] = {
  department: undefined,
  guest: false,
  enabled: true,
  manager: undefined,
};
const unset = Object.fromEntries(
  [
    'enabled',
    'restrictAccess',
    'action',
    'preserveFragments',
    'excludedPaths',
    'logoutEndpoint',
    'apiPrefix',
  ].map((name) => [name, undefined]),
);

test.each([
  ['200 groups by name', Array.from({ length: 200 }, () => ({ people: [0], groups: [] }))],
  [
    '201 groups by name, which a token does not list',
    Array.from({ length: 201 }, () => ({ people: [0], groups: [] })),
  ],
  [
    '201 groups one in the other, which a token does not list',
    Array.from({ length: 201 }, (_, index) => ({
      people: index === 200 ? [0] : [],
      groups: index === 200 ? [] : [index + 1],
    })),
  ],
])('castellan access predicts the answers for a person in %s', async (_case, seeded) => {
  const registration = {
    claims: ['SecurityGroup'],
    assignmentRequired: false,
    assignedPeople: [],
    assignedGroups: [],
  };
  const auth = {
    ...unset,
    redirect: true,
    otherProvider: false,
    allowedGroups: [firstSeededGroup],
  } as unknown as DrawnStack['auth'];
  expect(await differences({ people: [ada], seeded, groups: [], registration, auth })).toEqual([]);
});
