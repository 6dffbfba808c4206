import { neutralProvider } from '../../../core/dialect/dialect.js';
import type { ConsoleData } from '../console-data.js';

type App = Pick<ConsoleData['apps'][number], 'auth' | 'authSetting'>;

interface AllowedPrincipals {
  /** Object ids. */
  readonly groups?: readonly string[];
  /** Object ids of people. */
  readonly identities?: readonly string[];
}

interface AuthSetting {
  readonly globalValidation?: {
    readonly unauthenticatedClientAction?: string;
    /** Paths that need no sign-in. */
    readonly excludedPaths?: readonly string[];
    readonly requirements?: readonly {
      readonly path?: string;
      /** Object ids. */
      readonly groups?: readonly string[];
    }[];
  };
  /** By the name in the API: `azureActiveDirectory` is the directory. */
  readonly identityProviders?: Readonly<
    Record<
      string,
      {
        readonly validation?: {
          readonly defaultAuthorizationPolicy?: {
            readonly allowedPrincipals?: AllowedPrincipals;
          };
        };
      }
    >
  >;
}

/** The applied sign-in setting of an app, with the parts that the page reads. */
function settingOf({ authSetting }: App): AuthSetting {
  return (authSetting ?? {}) as AuthSetting;
}

/**
 * The policy in a line: `Sign-in required · Shoppers or anyone at codehost · /admin: Storefront
 * administrators · /healthz public`.
 */
export function policyInWords(
  app: App,
  { groups, people }: Pick<ConsoleData, 'groups' | 'people'>,
): string {
  if (!app.auth) return 'No sign-in · open to everybody';
  const {
    unauthenticatedClientAction,
    excludedPaths = [],
    requirements = [],
  } = settingOf(app).globalValidation ?? {};
  const namesOf = (ids: readonly string[]): string =>
    sortNames(ids.map((id) => groups.find((group) => group.id === id)?.name ?? id)).join(', ');
  return [
    unauthenticatedClientAction === 'AllowAnonymous' ? 'Sign-in offered' : 'Sign-in required',
    entrants(app, { groups, people }).join(' or '),
    ...requirements.map(
      ({ path = '/', groups: ids = [] }) => `${path}: ${namesOf(ids) || 'more is needed'}`,
    ),
    ...(excludedPaths.length === 0 ? [] : [`${excludedPaths.join(', ')} public`]),
  ].join(' · ');
}

/** Who gets in: groups and people of the directory, then anyone at other providers. */
function entrants(app: App, { groups, people }: Pick<ConsoleData, 'groups' | 'people'>): string[] {
  const names = sortNames(
    [...groupsLetIn(app, groups), ...peopleLetIn(app, people)].map(({ name }) => name),
  );
  const otherEntrants = otherProviders(app).map((provider) => `anyone at ${provider}`);
  if (names.length > 0) return [names.join(', '), ...otherEntrants];
  if (usesDirectory(app)) return ['everybody who can sign in', ...otherEntrants];
  return otherEntrants.length > 0 ? otherEntrants : ['nobody: no provider is declared'];
}

function sortNames(names: readonly string[]): string[] {
  return names.toSorted((a, b) => a.localeCompare(b, undefined, { numeric: true }));
}

/** The groups whose members an app lets in. */
export function groupsLetIn(app: App, groups: ConsoleData['groups']): ConsoleData['groups'] {
  const ids = principalsLetIn(app).groups ?? [];
  return groups.filter(({ id }) => ids.includes(id));
}

/** The people whom an app lets in by name. */
export function peopleLetIn(
  app: App,
  people: ConsoleData['people'],
): readonly { readonly id: string; readonly name: string }[] {
  return (principalsLetIn(app).identities ?? []).map((id) => ({
    id,
    name: people.find((person) => person.id === id)?.name ?? id,
  }));
}

/** Whether an app lets in everybody of the directory. */
export function letsDirectoryIn(app: App): boolean {
  const { groups = [], identities = [] } = principalsLetIn(app);
  return usesDirectory(app) && groups.length + identities.length === 0;
}

function usesDirectory(app: App): boolean {
  return settingOf(app).identityProviders?.['azureActiveDirectory'] !== undefined;
}

/** The groups and people, by their ids, that an app's policy allows. */
function principalsLetIn(app: App): AllowedPrincipals {
  const { azureActiveDirectory } = settingOf(app).identityProviders ?? {};
  return azureActiveDirectory?.validation?.defaultAuthorizationPolicy?.allowedPrincipals ?? {};
}

/** The names of providers other than the directory, as castellan.yaml has them. */
export function otherProviders(app: App): readonly string[] {
  const {
    azureActiveDirectory: _directory,
    customOpenIdConnectProviders = {},
    ...builtIn
  } = settingOf(app).identityProviders ?? {};
  return [
    ...Object.keys(builtIn).map((key) => neutralProvider(key) ?? key),
    ...Object.keys(customOpenIdConnectProviders),
  ];
}
