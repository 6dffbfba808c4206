import { isGuid } from '../../core/values/guid.js';
import { type ResolvedAuth, mapDirectoryProvider } from '../../kinds/auth/resolved-auth.js';
import { mapRequiredGroups } from '../../kinds/auth/requirements.js';
import { authProperties, issuerOfTenant } from '../../kinds/auth/auth-body.js';
import { groupClaimsOf } from '../../kinds/registration/registration.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import {
  type OpenIdSettings,
  parseAndValidateConfig,
  settingsWithoutSecrets,
  type SidecarSettings,
} from '../../services/auth-sidecar/access-decisions.js';
import { requestsGroupReading, mayReadGroups } from '../directory/group-read-permissions.js';
import type { DirectorySnapshot, ServicePrincipalRecord } from '../directory/records.js';
import { findDeclared, type ReferenceResolver } from './reference-resolver.js';

type ContainerApp = NonNullable<StackConfig['containerApps']>[string];
type Auth = NonNullable<ContainerApp['auth']>;

/** The registration that people sign in with. */
export interface SignInApplication {
  /** The stack's name of the registration; of one that no stack declares, the display name. */
  readonly name: string;
  readonly clientId: string;
  /** Whether the client id is known: that of a registration which is not applied yet is not. */
  readonly isClientIdKnown: boolean;
  /**
   * Which groups tokens name, such as `SecurityGroup,ApplicationGroup`; undefined if the
   * registration is unknown.
   */
  readonly groupMembershipClaims: string | undefined;
  /** Whether the directory issues tokens for it. */
  readonly isEnabled: boolean;
  /** Whether the directory has disabled it until the next apply, which enables it. */
  readonly isReenabled?: boolean;
  /** Whether the directory issues tokens only to people who have a role. */
  readonly assignmentRequired: boolean;
  /**
   * Whether the sidecar may look up groups that tokens leave out. Undefined if it is not known, also
   * where the stack asks for the permission and no administrator has consented yet.
   */
  readonly mayReadGroups: boolean | undefined;
  /** Ids of the principals that have a role. */
  readonly assignedIds: ReadonlySet<string>;
  /** Ids, or user principal names, of the people and applications that own it. */
  readonly owners: readonly string[];
}

/** The directory as a provider of an app. */
export interface DirectorySignIn {
  /** The sidecar's settings of this provider. */
  readonly settings: OpenIdSettings;
  readonly application: SignInApplication;
  /**
   * `own`: people of the directory that was read; `any`: of every directory; otherwise the issuer
   * of unknown people.
   */
  readonly tenant: 'own' | 'any' | { readonly issuer: string };
  /** The id of the tenant of the people in the directory, if known. */
  readonly tenantId: string | undefined;
  /** Whether everyone in the directory was read, not only those whom stacks name. */
  readonly isEveryoneKnown: boolean;
}

/** An app, with everything that decides who gets in. */
export interface AppAccess {
  /** The name of the stack that declares it. */
  readonly stack: string;
  readonly name: string;
  /** Its own domains. @default none, or not known */
  readonly domains?: readonly string[];
  /** Who can reach it over the network. */
  readonly reach: 'everywhere' | 'environment' | 'nowhere';
  /** The sign-in layer as the sidecar runs it; undefined where the app has none. */
  readonly settings: SidecarSettings | undefined;
  /** Paths without sign-in as they are declared. */
  readonly excludedPaths: readonly string[];
  /** How people of the directory sign in; undefined where the directory is no provider. */
  readonly directorySignIn: DirectorySignIn | undefined;
  /** Providers whose people cannot be listed: anyone with an account there gets in. */
  readonly otherProviders: readonly string[];
}

/** The apps of a stack. */
export function declaredApps(
  config: StackConfig,
  directory: DirectorySnapshot,
  references: ReferenceResolver,
): AppAccess[] {
  return Object.entries(config.containerApps ?? {}).map(([name, app]) =>
    declaredApp(name, app, { config, directory, references }),
  );
}

/** What the references of a declared app are resolved with. */
interface Context {
  /** The stack that declares the app. */
  readonly config: StackConfig;
  readonly directory: DirectorySnapshot;
  readonly references: ReferenceResolver;
}

function declaredApp(name: string, app: ContainerApp, context: Context): AppAccess {
  const { auth } = app;
  return {
    stack: context.config.stack,
    name,
    domains: Object.keys(app.customDomains ?? {}),
    reach: reachOf(app),
    ...signInOptions(auth === undefined ? undefined : sidecarSettings(auth, context), (provider) =>
      directorySignIn(provider, auth?.providers.directory ?? {}, context),
    ),
    excludedPaths: auth?.excludedPaths ?? [],
  };
}

/** The ways to sign in that a sign-in layer's settings allow. */
export function signInOptions(
  settings: SidecarSettings | undefined,
  directoryOf: (provider: OpenIdSettings) => DirectorySignIn,
): Pick<AppAccess, 'settings' | 'directorySignIn' | 'otherProviders'> {
  if (settings?.enabled !== true)
    return { settings, directorySignIn: undefined, otherProviders: [] };
  const provider = settings.providers.find(
    (each): each is OpenIdSettings => each.key === 'azureActiveDirectory',
  );
  const otherProviders = settings.providers
    .filter((each) => each !== provider)
    .map(({ pathNames }) => pathNames[0]);
  return { settings, directorySignIn: provider && directoryOf(provider), otherProviders };
}

function reachOf({ ingress, auth }: ContainerApp): AppAccess['reach'] {
  if (ingress === undefined) return auth === undefined ? 'nowhere' : 'everywhere';
  return ingress.external === true ? 'everywhere' : 'environment';
}

/** The settings of the sidecar, read from the resource body that the declaration makes. */
function sidecarSettings(auth: Auth, context: Context): SidecarSettings {
  const body = authProperties(resolveAuth(auth, context), {
    escapeValue: (data) => data,
    addSecret: (name, reference) =>
      reference.startsWith('secret:') ? reference.slice('secret:'.length) : name,
  });
  return settingsWithoutSecrets(
    parseAndValidateConfig('auth.json', JSON.stringify(body)).body ?? {},
    'neutral',
  );
}

function resolveAuth(auth: Auth, context: Context): ResolvedAuth {
  const ids = (names: readonly string[] | undefined) =>
    names?.map((each) => context.references.idOf(each));
  const requirements = mapRequiredGroups(auth.requirements, (each: string) =>
    isDeclared(each, context) || isGuid(each) ? context.references.idOf(each) : each,
  );
  return mapDirectoryProvider(
    { ...auth, requirements },
    ({
      registration,
      allowedGroups,
      allowedPrincipals,
      claimGroups,
      tenantId,
      issuer,
      ...provider
    }) => ({
      ...provider,
      ...(registration !== undefined && {
        registration: {
          ...applicationOf(registration, context),
          clientSecret: 'secret:unread',
        },
      }),
      issuer: issuer ?? issuerOfTenant(tenantId ?? context.config.azure?.tenantId ?? ownTenant),
      allowedGroups: ids(allowedGroups),
      allowedPrincipals: ids(allowedPrincipals),
      claimGroups: ids(claimGroups),
    }),
  );
}

/**
 * Whether a group or principal of the stack has this name; custom providers name their own groups.
 */
function isDeclared(name: string, { config }: Context): boolean {
  return (
    findDeclared(config.groups, name) !== undefined ||
    findDeclared(config.principals, name) !== undefined
  );
}

/** The tenant of the account that applies a stack without a tenant. */
export const ownTenant = 'the-callers-tenant';

function directorySignIn(
  settings: OpenIdSettings,
  declared: NonNullable<Auth['providers']['directory']>,
  context: Context,
): DirectorySignIn {
  const application =
    declared.registration === undefined
      ? signInApplication(declared.clientId ?? '', context.directory)
      : applicationOf(declared.registration, context);
  return {
    settings,
    application,
    tenant: signInTenant(declared, context),
    tenantId: directoryTenantId(declared.tenantId, context),
    isEveryoneKnown: context.directory.coverage?.people !== 'named',
  };
}

/**
 * The tenant whose people can sign in with a directory provider: `own` also where the tenant that it
 * names, or the directory's own, is not known.
 */
export function signInTenant(
  { issuer, tenantId }: { readonly issuer?: string; readonly tenantId?: string },
  {
    config,
    directory,
  }: { readonly config: Pick<StackConfig, 'azure'>; readonly directory: DirectorySnapshot },
): DirectorySignIn['tenant'] {
  const tenant =
    issuer === undefined
      ? tenantId
      : (/^https:\/\/login\.microsoftonline\.com\/([^/]+)\/v2\.0\/?$/.exec(issuer)?.[1] ?? issuer);
  if (tenant === undefined || tenant.includes('${')) return 'own';
  if (tenant === 'common' || tenant === 'organizations') return 'any';
  const ownTenants = [config.azure?.tenantId, directory.tenantId].filter(
    (each) => each !== undefined && !each.includes('${'),
  );
  if (ownTenants.some((each) => each?.toLowerCase() === tenant.toLowerCase())) return 'own';
  return ownTenants.length === 0 && issuer === undefined
    ? 'own'
    : { issuer: issuer ?? issuerOfTenant(tenant) };
}

/**
 * The id of the directory's tenant: as it was read, otherwise as the stack or the provider names
 * it; undefined where none of them has an id.
 */
export function directoryTenantId(
  tenantOfProvider: string | undefined,
  {
    config,
    directory,
  }: { readonly config: Pick<StackConfig, 'azure'>; readonly directory: DirectorySnapshot },
): string | undefined {
  return [directory.tenantId, config.azure?.tenantId, tenantOfProvider].find(isGuid);
}

/** The registration of a stack. */
function applicationOf(name: string, context: Context): SignInApplication {
  const { config, directory, references } = context;
  const declared = findDeclared(config.registrations, name);
  const existing = references.existingApplication(name);
  const principal = existing && servicePrincipalOf(existing.appId, directory);
  const isGranted = mayReadGroups(directory, principal?.id);
  const isRequested = requestsGroupReading(declared?.requiredPermissions ?? []);
  return {
    name,
    clientId: existing?.appId ?? `registrations.${name}`,
    isClientIdKnown: existing !== undefined,
    groupMembershipClaims: groupClaimsOf(
      declared?.groupMembershipClaims,
      areSecurityGroups(name, context),
    ).join(','),
    // castellan.yaml can't disable a registration, and the official provider enables it
    isEnabled: true,
    isReenabled: principal?.isEnabled === false,
    assignmentRequired: declared?.assignmentRequired ?? false,
    // only an administrator's consent, which the stack can't give, grants what the stack asks for
    mayReadGroups: isRequested && isGranted !== true ? undefined : isGranted,
    assignedIds: new Set(principal?.assignedIds),
    owners: declared?.owners?.map((each) => references.idOf(each)) ?? existing?.owners ?? [],
  };
}

/**
 * For each group that the apps of a registration let in, whether it is declared as a security
 * group.
 */
function areSecurityGroups(registration: string, { config }: Context): boolean[] {
  return Object.values(config.containerApps ?? {}).flatMap(({ auth }) => {
    const directory = auth?.providers.directory;
    if (directory?.registration !== registration) return [];
    const requirements = auth?.requirements?.flatMap(({ groups = [] }) => groups) ?? [];
    return [
      ...(directory.allowedGroups ?? []),
      ...(directory.claimGroups ?? []),
      ...requirements,
    ].map((reference) => {
      const group = findDeclared(config.groups, reference);
      return group !== undefined && (group.securityEnabled ?? group.kind !== 'unified');
    });
  });
}

/** An application in the directory, by its client id. */
export function signInApplication(
  clientId: string,
  directory: DirectorySnapshot,
): SignInApplication {
  const application = directory.applications.find(
    ({ appId }) => appId.toLowerCase() === clientId.toLowerCase(),
  );
  const principal = servicePrincipalOf(clientId, directory);
  return {
    name: application?.displayName ?? clientId,
    clientId,
    isClientIdKnown: true,
    groupMembershipClaims:
      application === undefined ? undefined : (application.groupMembershipClaims ?? ''),
    isEnabled: principal?.isEnabled ?? true,
    assignmentRequired: principal?.assignmentRequired ?? false,
    mayReadGroups: mayReadGroups(directory, principal?.id),
    assignedIds: new Set(principal?.assignedIds),
    owners: [...(application?.owners ?? []), ...(principal?.owners ?? [])],
  };
}

function servicePrincipalOf(
  clientId: string,
  { servicePrincipals }: DirectorySnapshot,
): ServicePrincipalRecord | undefined {
  return servicePrincipals.find(({ appId }) => appId.toLowerCase() === clientId.toLowerCase());
}
