import type { StackConfig } from '../../kinds/stack/schema.js';
import { modelOf, stackOf, visitOf } from './support.js';

const answers: readonly [
  auth: object,
  path: string,
  allowed: boolean | 'unknown',
  status: number | undefined,
][] = [
  [{}, '/', false, 302],
  [{ unauthenticatedAction: 'return401' }, '/', false, 401],
  [{ unauthenticatedAction: 'return403' }, '/', false, 403],
  [{ unauthenticatedAction: 'allowAnonymous' }, '/', true, 200],
  [{ restrictAccess: 'allowUnauthenticated' }, '/', true, 200],
  [{ enabled: false }, '/', true, 200],
  // no layer refuses it, or answers in the app's place
  [{ enabled: false }, '/docs/%2e%2e/admin', true, 200],
  [{ enabled: false }, '/.auth/me', true, 200],
  [{ preserveUrlFragments: true }, '/', false, 401],
  [{ excludedPaths: ['/healthz'] }, '/healthz', true, 200],
  [{ excludedPaths: ['/healthz'] }, '/HEALTHZ/live?x=1', true, 200],
  [{ excludedPaths: ['/healthz'] }, '/healthzz', false, 302],
  [{ excludedPaths: ['/public/*'] }, '/public/a/b', true, 200],
  [{ excludedPaths: ['/public'] }, '/public%2F..%2Fadmin', false, 400],
  [{ excludedPaths: ['/'] }, '/', true, 200],
  [{ excludedPaths: ['/'] }, '/other', false, 302],
  [{}, '/../admin', false, 400],
  [{}, '/.AUTH/me', false, 404],
  [{}, '/.auth/me', 'unknown', undefined],
  [{ routes: { logoutEndpoint: '/bye' } }, '/bye', 'unknown', undefined],
];

test.each(answers)(
  'with %j a browser without a session at %s is allowed: %s, with status %s',
  (auth, path, allowed, status) => {
    expect(visitOf(modelOf(stackOf({}, { auth })), undefined, path).answer).toMatchObject({
      allowed,
      status,
    });
  },
);

test('with several providers and none to redirect to, the answer is a page with status 401', () => {
  const config = stackOf({}) as unknown as {
    containerApps: { shop: { auth: { providers: Record<string, unknown> } } };
  };
  config.containerApps.shop.auth.providers['codehost'] = {
    clientId: 'Iv1',
    clientSecret: '${env:SECRET}',
  };
  expect(visitOf(modelOf(config as unknown as StackConfig), undefined).answer).toMatchObject({
    allowed: false,
    status: 401,
  });
});

test('an app without sign-in is public', () => {
  const config = {
    version: 1,
    stack: 'shop',
    containerApps: { shop: { image: 'shop:1', ingress: { external: true } } },
  } as unknown as StackConfig;
  expect(visitOf(modelOf(config), undefined, '/any').answer).toMatchObject({
    allowed: true,
    status: 200,
  });
});
