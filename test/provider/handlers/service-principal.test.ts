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
