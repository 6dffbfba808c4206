import { controllersOf } from '../../access/answer/controllers.js';
import { accessOverview } from '../../access/answer/overview.js';
import { visitText } from '../../access/answer/report.js';
import { decideVisit } from '../../access/answer/visit.js';
import { compareAccess } from '../../access/compare/compare.js';
import { directoryFromSeed } from '../../access/directory/from-seed.js';
import { type AccessModel, accessModel } from '../../access/model.js';
import { accessStatements, statementsText } from '../../access/prove/access-statements.js';
import { proveChanges } from '../../access/prove/change-proof.js';
import { idOf, insiders, modelOf, someone, stackOf, visitOf } from './support.js';

const now = Date.parse('2026-11-22T12:00:00Z');

/** An app that signs in by a client id, whose application is enabled or not. */
function modelWith(accountEnabled: boolean, reuseFrom?: AccessModel): AccessModel {
  const seed = {
    ...someone,
    applications: [
      { appId: idOf('client'), displayName: 'Sign-in', groupMembershipClaims: 'SecurityGroup' },
    ],
    servicePrincipals: [
      { id: idOf('sp'), appId: idOf('client'), displayName: 'Sign-in', accountEnabled },
    ],
  };
  const config = stackOf({ registration: undefined, clientId: idOf('client') });
  const directory = directoryFromSeed([seed], 'the test');
  return accessModel([config], directory, { now, ...(reuseFrom && { reuseFrom }) });
}

test('the directory issues nobody a token for a disabled application', () => {
  expect(insiders(modelWith(true))).toEqual(['ada', 'grace', 'guest']);
  const model = modelWith(false);
  expect(insiders(model)).toEqual([]);
  const visit = visitOf(model, 'ada');
  expect(visit.answer).toMatchObject({ allowed: false, status: 302, decidedBy: 'challenge' });
  expect(visitText(visit)).toContain(`no   audience    Sign-in: ${idOf('client')} is disabled\n`);
});

test('it is proved that nobody gets into an app whose application is disabled', () => {
  const model = modelWith(false);
  const text = statementsText(accessStatements(model, model.apps, { now }));
  expect(text).toContain('nobody by the directory: the application Sign-in is disabled\n');
  expect(text).toContain('no guest of the directory (proved for all possible people)');
});

test('an application that is enabled again lets people in', () => {
  const base = modelWith(false);
  const head = modelWith(true);
  const changes = compareAccess(head, base);
  expect(changes[0]?.reasons).toMatchObject([
    { direction: 'gained', count: 3, why: 'the application is enabled now' },
  ]);
  const [proof] = [...proveChanges(changes, head, base, { now }).values()];
  expect(proof).toMatchObject({ gain: { verdict: 'new' }, loss: { verdict: 'none' } });
});

test('a registration of the stack is enabled by the next apply', () => {
  const model = modelOf(stackOf({}), {
    ...someone,
    applications: [{ appId: idOf('client'), displayName: 'Sign-in' }],
    servicePrincipals: [
      { id: idOf('sp'), appId: idOf('client'), displayName: 'Sign-in', accountEnabled: false },
    ],
  });
  expect(insiders(model)).toEqual(['ada', 'grace', 'guest']);
  expect(visitText(visitOf(model, 'ada'))).toContain(
    `audience    login: ${idOf('client')}, disabled at present: an apply enables it\n`,
  );
});

test('neither disabled people nor disabled applications can let others in', () => {
  const model = modelOf(
    stackOf(
      { allowedGroups: ['staff'] },
      {
        principals: {
          ada: { user: 'ada@contoso.example' },
          gone: { user: 'gone@contoso.example' },
          job: { servicePrincipal: idOf('job') },
        },
        groups: {
          staff: { displayName: 'Staff', members: [], owners: ['ada', 'gone', 'job'] },
        },
      },
    ),
    {
      ...someone,
      servicePrincipals: [{ id: idOf('job'), displayName: 'Job', accountEnabled: false }],
    },
  );
  const [app] = model.apps;
  expect(app && controllersOf(app, model).map(({ who }) => who)).toEqual(['ada@contoso.example']);
});

test('a disabled application can call no app', () => {
  const servicePrincipals = ['job', 'old'].map((name) => ({
    id: idOf(name),
    appId: idOf(`${name} client`),
    displayName: name,
    accountEnabled: name === 'job',
  }));
  const config = stackOf({ allowedPrincipals: servicePrincipals.map(({ id }) => id) });
  const model = modelOf(config, { ...someone, servicePrincipals });
  expect(accessOverview(model)[0]?.applications).toEqual(['job']);
  expect(model.apps.map((app) => decideVisit(model, app, '/', undefined).answer.allowed)).toEqual([
    false,
  ]);
});
