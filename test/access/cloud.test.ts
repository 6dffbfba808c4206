import { decideVisit } from '../../access/answer/visit.js';
import { modelOf, stackOf } from './support.js';

const visitInCloud = (auth: object, path: string) => {
  const model = modelOf(stackOf({}, { auth }));
  const [app] = model.apps;
  if (app === undefined) throw new Error('there is no app');
  return decideVisit(model, app, path, undefined, 'azure');
};

test.each([
  ['exactly an excluded path', { excludedPaths: ['/healthz'] }, '/healthz', true, 200],
  ['a path below it', { excludedPaths: ['/healthz'] }, '/healthz/live', 'unknown', undefined],
  ['a path that begins alike', { excludedPaths: ['/healthz'] }, '/healthzz', 'unknown', undefined],
  ['another letter case', { excludedPaths: ['/healthz'] }, '/HEALTHZ', 'unknown', undefined],
  ['a wildcard', { excludedPaths: ['/public/*'] }, '/public/a', 'unknown', undefined],
  ['a path far from it', { excludedPaths: ['/healthz'] }, '/admin', false, 302],
  ['a path that this layer refuses', {}, '/../admin', 'unknown', undefined],
  ['a fragment that is kept', { preserveUrlFragments: true }, '/', false, undefined],
  ['no redirect', { unauthenticatedAction: 'return401' }, '/', false, 401],
])(
  'decides as the cloud does, and unknown where that is not documented: %s',
  (_case, auth, path, allowed, status) => {
    expect(visitInCloud(auth, path).answer).toMatchObject({ allowed, status });
  },
);

test('reports that the cloud publishes no setting for the personal account provider', () => {
  const providers = { personal: { clientId: 'p', clientSecret: 'secret:p' } };
  const personalAccountText = expect.stringContaining(
    'no setting of container apps for personal accounts',
  ) as string;
  expect(visitInCloud({ providers }, '/').differences).toContainEqual({
    what: personalAccountText,
  });
  expect(visitInCloud({ providers, excludedPaths: ['/'] }, '/').differences).not.toContainEqual({
    what: personalAccountText,
  });
});

test('names a difference that changes the decision, and marks it unknown in the chain', () => {
  const { chain, differences } = visitInCloud({ excludedPaths: ['/healthz'] }, '/healthz/live');
  expect(chain).toContainEqual({
    kind: 'path',
    name: '/healthz/live',
    value: 'excluded from sign-in (/healthz)',
    verdict: 'unknown',
  });
  expect(differences).toContainEqual({
    what: 'how the cloud matches /healthz beyond exactly these paths is not documented',
    decides: 'access',
  });
});
