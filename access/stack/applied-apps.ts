import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import {
  parseAndValidateConfig,
  settingsWithoutSecrets,
} from '../../services/auth-sidecar/access-decisions.js';
import { emptyDirectory } from '../directory/from-seed.js';
import type { DirectorySnapshot } from '../directory/records.js';
import type { DirectoryScope } from '../directory/directory-scope.js';
import {
  type AppAccess,
  directoryTenantId,
  signInApplication,
  signInOptions,
  signInTenant,
} from './apps.js';
import type { AppliedIds } from './reference-resolver.js';
import { type AccessModel, modelOfApps } from '../model.js';

type Values = Readonly<Record<string, unknown>>;

/** An applied resource of a stack. */
export interface AppliedResource {
  /** Terraform's type: `azuread_group`. */
  readonly type: string;
  /** The name of its block, which is that of its declaration. */
  readonly name: string;
  /** The attributes in the state, before the plan. */
  readonly values: Values;
  /** Whether the plan keeps the object, and does not delete or replace it. */
  readonly isKept: boolean;
}

/** A stack that is applied. */
interface AppliedStack {
  /** The stack as it is declared now, which may differ from what is applied. */
  readonly config: StackConfig;
  readonly resources: readonly AppliedResource[];
}

/** The ids in the directory of a stack's groups and registrations. */
export function appliedIds(resources: readonly AppliedResource[]): AppliedIds {
  const ids = (types: RegExp, attribute: string): ReadonlyMap<string, string> =>
    new Map(
      resources
        .filter(({ type, isKept }) => isKept && types.test(type))
        .map(({ name, values }) => [name, String(values[attribute]).toLowerCase()]),
    );
  return {
    groups: ids(/^azuread_group(_without_members)?$/, 'object_id'),
    registrations: ids(/^azuread_application(_registration)?$/, 'client_id'),
  };
}

/** The applied apps of a stack, each with its applied sign-in settings. */
function appliedApps(
  { config, resources }: AppliedStack,
  directory: DirectorySnapshot,
): AppAccess[] {
  const authConfigs = new Map(
    resources
      .filter(
        ({ type, values }) =>
          type === 'azapi_resource' &&
          /^Microsoft\.App\/containerApps\/authConfigs@/i.test(String(values['type'])),
      )
      .map(({ values }) => [
        String(values['parent_id']).toLowerCase(),
        values['body'] as { readonly properties?: Values },
      ]),
  );
  return resources
    .filter(({ type }) => type === 'azurerm_container_app')
    .map(({ name, values }): AppAccess =>
      appWithAuth(
        { stack: config.stack, name, reach: reachOf(values['ingress']) },
        authConfigs.get(String(values['id']).toLowerCase()),
        {
          directory,
          config,
        },
      ),
    );
}

/**
 * An app with its applied sign-in settings.
 *
 * @param body the resource `authConfigs` of the app in the resource manager
 */
export function appWithAuth(
  app: Pick<AppAccess, 'stack' | 'name' | 'reach'>,
  body: { readonly properties?: Values } | undefined,
  {
    directory,
    config,
  }: { readonly directory: DirectorySnapshot; readonly config: Pick<StackConfig, 'azure'> },
): AppAccess {
  const settings =
    body &&
    settingsWithoutSecrets(
      parseAndValidateConfig('auth.json', JSON.stringify(body)).body ?? {},
      'neutral',
    );
  const { excludedPaths } = (body?.properties?.['globalValidation'] ?? {}) as {
    readonly excludedPaths?: readonly string[] | null;
  };
  const signIns = signInOptions(settings, (provider) => ({
    settings: provider,
    application: signInApplication(provider.clientId, directory),
    tenant: signInTenant(provider, { config, directory }),
    tenantId: directoryTenantId(undefined, { config, directory }),
    isEveryoneKnown: directory.coverage?.people !== 'named',
  }));
  return { ...app, ...signIns, excludedPaths: excludedPaths ?? [] };
}

/** The directory objects that applied stacks refer to. */
export function scopeOfAppliedStacks(stacks: readonly AppliedStack[]): DirectoryScope {
  const directorySignIns = stacks
    .flatMap((stack) => appliedApps(stack, emptyDirectory))
    .flatMap(({ directorySignIn }) => directorySignIn ?? []);
  const policies = directorySignIns.map(({ settings }) => settings.policy);
  return {
    groups: new Set(policies.flatMap(({ groups, claimGroups }) => [...groups, ...claimGroups])),
    people: new Set(policies.flatMap(({ identities }) => identities)),
    applications: new Set(directorySignIns.map(({ settings }) => settings.clientId)),
    rules: [],
    includesEveryone: policies.some(
      ({ groups, claimGroups, identities }) =>
        groups.length + claimGroups.length + identities.length === 0,
    ),
    requiresRoles: false, // the directory has the applied setting
  };
}

function reachOf(ingress: unknown): AppAccess['reach'] {
  const [first] = Array.isArray(ingress) ? (ingress as Values[]) : [];
  if (first === undefined) return 'nowhere';
  return first['external_enabled'] === true ? 'everywhere' : 'environment';
}

/**
 * Who gets in at present: the applied apps, with the present directory. Groups and registrations
 * have the names that the stacks give them, so that a comparison shows changes and not
 * renamings.
 *
 * @param snapshot the present directory
 * @param head the model of the declarations
 */
export function appliedModel(
  stacks: readonly AppliedStack[],
  snapshot: DirectorySnapshot,
  head: AccessModel,
  now: number,
): AccessModel {
  const declared = new Map(head.directory.groups.map((group) => [group.id, group]));
  const groups = snapshot.groups.map((group) => {
    const { declaredName, areMembersManagedElsewhere } = declared.get(group.id) ?? {};
    // who manages members is no part of what is applied
    return declaredName === undefined
      ? group
      : { ...group, declaredName, ...omitUndefined({ areMembersManagedElsewhere }) };
  });
  const registrationNames = new Map(
    head.apps.flatMap(({ directorySignIn }) =>
      directorySignIn
        ? [[directorySignIn.application.clientId, directorySignIn.application.name]]
        : [],
    ),
  );
  const apps = stacks
    .flatMap((stack) => appliedApps(stack, snapshot))
    .map((app) => {
      const { directorySignIn } = app;
      if (directorySignIn === undefined) return app;
      const { clientId, name } = directorySignIn.application;
      return {
        ...app,
        directorySignIn: {
          ...directorySignIn,
          application: {
            ...directorySignIn.application,
            name: registrationNames.get(clientId) ?? name,
          },
        },
      };
    });
  return modelOfApps(apps, { ...snapshot, groups }, { now, reuseFrom: head });
}
