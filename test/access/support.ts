import { accessModel, type AccessModel } from '../../access/model.js';
import { directoryFromSeed } from '../../access/directory/from-seed.js';
import { accessOverview } from '../../access/answer/overview.js';
import { decideVisit, type Visit } from '../../access/answer/visit.js';
import { findPersonIndex } from '../../access/answer/find-person.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import type { SeedLists } from '../../services/common/seed.js';

const now = Date.parse('2026-11-22T12:00:00Z');

/** People of the tests: ada and grace by department, a guest, and one whose account is disabled. */
export const someone: SeedLists = {
  users: [
    person('ada', { department: 'Retail' }),
    person('grace', { department: 'Operations' }),
    person('guest', { department: 'Retail', userType: 'Guest' }),
    person('gone', { department: 'Retail', accountEnabled: false }),
  ],
};

/** A seeded person. */
export function person(name: string, attributes: object = {}): Record<string, unknown> {
  return {
    userPrincipalName: `${name}@contoso.example`,
    displayName: `${name} of Contoso`,
    id: idOf(name),
    ...attributes,
  };
}

/** The id of a person or group of the tests. */
export function idOf(name: string): string {
  return `${Buffer.from(name).toString('hex').padEnd(8, '0').slice(0, 8)}-0000-4000-8000-${Buffer.from(name).toString('hex').padStart(12, '0').slice(-12)}`;
}

/** A stack with one app that lets in who signs in by the directory. */
export function stackOf(
  directory: object,
  content: { readonly auth?: object; readonly [section: string]: unknown } = {},
): StackConfig {
  const { auth, ...sections } = content;
  return {
    version: 1,
    stack: 'shop',
    registrations: { login: { displayName: 'Sign-in' } },
    containerApps: {
      shop: {
        image: 'shop:1',
        ingress: { external: true },
        auth: {
          ...auth,
          providers: {
            ...(auth as { readonly providers?: object } | undefined)?.providers,
            directory: { registration: 'login', ...directory },
          },
        },
      },
    },
    ...sections,
  } as unknown as StackConfig;
}

/** A stack and a directory together. */
export function modelOf(config: StackConfig, seed: SeedLists = someone): AccessModel {
  return accessModel([config], directoryFromSeed([seed], 'the test'), { now });
}

/** What a person, or a browser without a session, gets at a path of the first app. */
export function visitOf(model: AccessModel, name: string | undefined, path = '/'): Visit {
  const [app] = model.apps;
  if (app === undefined) throw new Error('there is no app');
  return decideVisit(
    model,
    app,
    path,
    name === undefined ? undefined : findPersonIndex(name, model.memberships, []),
  );
}

/** The names of the people who get into the first app. */
export function insiders(model: AccessModel): string[] {
  const [first] = accessOverview(model);
  return [...(first?.entrants.admitted ?? [])].map(
    (place) => model.memberships.person(place).body.userPrincipalName?.split('@')[0] ?? '',
  );
}
