import { resources } from '../../../provider/handlers/azuread/index.js';
import type { Api } from '../../../provider/handlers/handler.js';
import type { ValueMap } from '../../../provider/values/value.js';

const principal = { id: 'p', appId: 'a', displayName: 'x', samlSingleSignOnSettings: {} };
const api = {
  directory: {
    servicePrincipals: {
      find: () => Promise.resolve(principal),
      get: () => Promise.resolve(principal),
      owners: { list: async function* () {} },
    },
  },
} as unknown as Api;
const context = {
  api,
  providerConfig: {},
  signal: new AbortController().signal,
  warn: () => undefined,
};

test.each<[string, ValueMap, unknown]>([
  [
    'keeps an empty block of the state',
    { saml_single_sign_on: [{ relay_state: null }] },
    [{ relay_state: null }],
  ],
  ['adds no block', { saml_single_sign_on: [] }, []],
])('a service principal without a relay state %s', async (_what, state, expected) => {
  const read = await resources['azuread_service_principal']?.read({
    ...context,
    state: { object_id: 'p', ...state },
  });
  expect(read?.['saml_single_sign_on']).toEqual(expected);
});

test('an existing service principal that is used gets the configured owners', async () => {
  const links = new Set(['someone']);
  const owners = {
    list: async function* () {
      for (const id of links) yield { id };
    },
    add: async (_id: string, owner: string) => void links.add(owner),
    remove: async (_id: string, owner: string) => void links.delete(owner),
  };
  const servicePrincipals = {
    ...api.directory.servicePrincipals,
    list: async function* () {
      yield principal;
    },
    update: () => Promise.resolve(),
    owners,
  };
  const state = await resources['azuread_service_principal']?.create({
    ...context,
    api: { ...api, directory: { ...api.directory, servicePrincipals } } as unknown as Api,
    planned: { client_id: 'a', use_existing: true, owners: ['wanted'] },
    config: {},
    reportCreated: () => undefined,
  });
  expect(state?.['owners']).toEqual(['wanted']);
});
