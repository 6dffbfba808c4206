import { isObject } from '../../../core/values/is-object.js';
import { isDeepStrictEqual } from 'node:util';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { containerApp } from '../../../kinds/container-app/container-app.js';
import { valueAtPath } from '../../../kinds/schema/path-steps.js';
import { type FoundResources, type FoundDeclaration, textAt } from './found-resources.js';
import type { AppSecret } from './secret-variables.js';
import { withoutDefaults } from './without-defaults.js';

type Values = Readonly<Record<string, unknown>>;

/** The values that the official provider sets where none are given. */
const providerDefaults: Values = {
  cpu: 0.25,
  memory: '0.5Gi',
  replicas: { cooldownSeconds: 300, pollingSeconds: 30 },
  ingress: { transport: 'auto' },
  revision: { mode: 'single', traffic: [{ latest: true, weight: 100 }] },
  terminationGracePeriodSeconds: 0,
};

/** An app as it is declared, without its secrets. */
interface AdoptedApp {
  readonly name: string;
  readonly app: Record<string, unknown>;
  /** The secrets that the configuration has to declare. */
  readonly ownSecrets: readonly AppSecret[];
}

/** Declares an app with its sign-in layer. */
export function adoptApp(found: FoundDeclaration, resources: FoundResources): AdoptedApp {
  const {
    name,
    environment: _environment,
    auth,
    secrets: declaredSecrets,
    ...otherProperties
  } = found.value;
  const environment = resources.nameOf(textAt(found.resource, 'container_app_environment_id'));
  const adoptedAuth = isObject(auth) ? adoptAuth(auth, resources) : undefined;
  const appSecrets = (valueAtPath(found.resource.after, ['secret']) ?? []) as readonly {
    readonly name: string;
    readonly value?: string;
  }[];
  const ownSecrets = appSecrets.filter(
    ({ name: secret }) =>
      isObject(declaredSecrets) &&
      secret in declaredSecrets &&
      secret !== adoptedAuth?.derivedSecretName,
  );
  const app = {
    ...(name !== found.name && { name }),
    ...omitUndefined({ environment }),
    ...withoutDefaults(withoutEqual(otherProperties, providerDefaults), containerApp.schema),
    ...(adoptedAuth !== undefined && { auth: withoutDefaults(adoptedAuth.auth, authSchema) }),
  };
  return {
    name: found.name,
    app,
    ownSecrets: ownSecrets.map((each) => ({
      app: found.name,
      name: each.name,
      value: each.value,
    })),
  };
}

const authSchema =
  (containerApp.schema.properties as unknown as Record<string, object>)['auth'] ?? {};

/**
 * The sign-in layer with references instead of ids. Values derived from a registration of the stack
 * are omitted.
 *
 * @returns `derivedSecretName` for a registration of the stack: the app's secret that its construct adds
 */
function adoptAuth(
  auth: Values,
  resources: FoundResources,
): { readonly auth: Values; readonly derivedSecretName?: string } {
  const { providers } = auth;
  const directory = isObject(providers) ? providers['directory'] : undefined;
  if (!isObject(providers) || !isObject(directory)) return { auth };
  const { clientId, clientSecret, allowedAudiences, ...otherSettings } = directory;
  const registration = resources.nameOf(clientId);
  const settingsWithNames = Object.fromEntries(
    Object.entries(otherSettings).map(([key, value]) => [
      key,
      ['allowedGroups', 'allowedPrincipals', 'claimGroups'].includes(key) && Array.isArray(value)
        ? value.map((id: unknown) => resources.nameOf(id) ?? id)
        : value,
    ]),
  );
  const hasDefaultAudience =
    isDeepStrictEqual(allowedAudiences, [`api://${String(clientId)}`]) &&
    registration !== undefined;
  const adoptedDirectory = {
    ...(registration === undefined ? { clientId, clientSecret } : { registration }),
    ...omitUndefined({ allowedAudiences: hasDefaultAudience ? undefined : allowedAudiences }),
    ...settingsWithNames,
  };
  const derivedSecretName =
    registration === undefined ? undefined : String(clientSecret).replace(/^secret:/, '');
  return {
    auth: { ...auth, providers: { ...providers, directory: adoptedDirectory } },
    ...omitUndefined({ derivedSecretName }),
  };
}

/** A value without the properties that are equal in another one. */
function withoutEqual(value: Values, defaults: Values): Values {
  const entries = Object.entries(value).flatMap(([key, each]): [string, unknown][] => {
    const defaultValue = defaults[key];
    if (defaultValue === undefined) return [[key, each]];
    if (isDeepStrictEqual(defaultValue, each)) return [];
    if (!isObject(defaultValue) || !isObject(each)) return [[key, each]];
    const inner = withoutEqual(each, defaultValue);
    return Object.keys(inner).length === 0 ? [] : [[key, inner]];
  });
  return Object.fromEntries(entries);
}
