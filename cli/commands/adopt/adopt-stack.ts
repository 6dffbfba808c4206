import { isObject } from '../../../core/values/is-object.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { Group } from '../../../clients/directory/index.js';
import { eventhouse } from '../../../kinds/eventhouse/eventhouse.js';
import { groupClaimsOf, registration } from '../../../kinds/registration/registration.js';
import type { Section } from '../../../kinds/stack/schema.js';
import { workspace } from '../../../kinds/workspace/workspace.js';
import { valueAtPath } from '../../../kinds/schema/path-steps.js';
import { declareGroup } from './adopt-groups.js';
import { adoptApp } from './adopt-app.js';
import { secretVariables } from './secret-variables.js';
import { type FoundResources, type FoundDeclaration, textAt } from './found-resources.js';
import { withoutDefaults } from './without-defaults.js';

type Values = Readonly<Record<string, unknown>>;

/** A secret of an app: its variable in the configuration, and its value if the state has it. */
export interface AdoptedSecret {
  /** The environment variable that the configuration names: `API_KEY` for `api-key`. */
  readonly variable: string;
  readonly value: string | undefined;
}

/** A configuration of all found objects, and the secrets for its variables. */
export interface AdoptedConfiguration {
  /** The content of a castellan.yaml. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly secrets: readonly AdoptedSecret[];
  /** The number of declarations in each section. */
  readonly counts: ReadonlyMap<Section, number>;
}

/**
 * Declares all found objects: apps with their sign-in layer, registrations, groups, workspaces and
 * their items, with names instead of ids, and without default values.
 */
export function adoptStack(
  stack: string,
  resources: FoundResources,
  capacity?: string,
): AdoptedConfiguration {
  const principals = principalsOf(resources);
  const apps = resources.ofSection('containerApps').map((each) => adoptApp(each, resources));
  const appSecrets = apps.flatMap(({ ownSecrets }) => ownSecrets);
  const variables = secretVariables(appSecrets);
  const secrets = appSecrets.map((each, index) => ({ ...each, variable: variables[index] ?? '' }));
  const sections = {
    principals,
    registrations: byName(resources.ofSection('registrations'), (each) =>
      adoptRegistration(each, resources),
    ),
    environments: environmentsOf(stack, resources),
    containerApps: Object.fromEntries(
      apps.map(({ name, app }) => [
        name,
        withSecrets(
          withoutStackEnvironment(app, stack, resources),
          secrets.filter((each) => each.app === name),
        ),
      ]),
    ),
    groups: byName(resources.ofSection('groups'), (each) => adoptGroup(each, resources)),
    workspaces: byName(resources.ofSection('workspaces'), ({ value }) =>
      withoutDefaults(
        value['capacityId'] === capacity ? { ...value, capacityId: undefined } : value,
        workspace.schema,
      ),
    ),
    eventhouses: byName(resources.ofSection('eventhouses'), ({ value }) =>
      withoutDefaults(withWorkspaceName(value, resources), eventhouse.schema),
    ),
    eventstreams: byName(resources.ofSection('eventstreams'), (each) =>
      adoptEventstream(each, resources),
    ),
  } satisfies Partial<Record<Section, Values>>;
  const nonEmpty = Object.entries(sections).filter(([, each]) => Object.keys(each).length > 0);
  return {
    config: { version: 1, stack, ...azureOf(resources), ...Object.fromEntries(nonEmpty) },
    secrets: secrets.map(({ variable, value }) => ({ variable, value })),
    counts: new Map(
      nonEmpty.map(([section, each]) => [section as Section, Object.keys(each).length]),
    ),
  };
}

/** An app with its secrets as references to variables; `auth` stays last. */
function withSecrets(
  { auth, ...app }: Values,
  secrets: readonly { readonly name: string; readonly variable: string }[],
): Values {
  const references = secrets.map(({ name, variable }) => [name, `\${env:${variable}}`] as const);
  return {
    ...app,
    ...(references.length !== 0 && { secrets: Object.fromEntries(references) }),
    ...omitUndefined({ auth }),
  };
}

function byName(
  found: readonly FoundDeclaration[],
  declare: (declaration: FoundDeclaration) => Values,
): Record<string, Values> {
  return Object.fromEntries(found.map((each) => [each.name, declare(each)]));
}

/** The principals that were looked up by name; others are declared by their object id. */
function principalsOf(resources: FoundResources): Record<string, Values> {
  const principals: Record<string, Values> = {};
  for (const [type, key, attribute] of [
    ['azuread_user', 'user', 'user_principal_name'],
    ['azuread_service_principal', 'servicePrincipal', 'display_name'],
    ['azuread_group', 'group', 'display_name'],
  ] as const)
    for (const each of resources.ofType(type, 'data')) {
      const [id, label] = [textAt(each, 'object_id'), textAt(each, attribute)];
      if (id === undefined || label === undefined) continue;
      principals[resources.namePrincipal(id, each.name)] = { [key]: label };
    }
  return principals;
}

function azureOf(resources: FoundResources): { readonly azure?: Values } {
  const [group] = resources.ofType('azurerm_resource_group');
  if (group === undefined) return {};
  const tags = valueAtPath(group.after, ['tags']);
  const azure = { location: textAt(group, 'location'), resourceGroup: textAt(group, 'name') };
  const hasTags = isObject(tags) && Object.keys(tags).length > 0;
  return { azure: hasTags ? { ...azure, tags } : azure };
}

const defaultEnvironmentName = (stack: string): string => `cae-${stack}`;

/** The environments other than the one that a stack creates by default. */
function environmentsOf(stack: string, resources: FoundResources): Record<string, Values> {
  const declared = resources
    .ofSection('environments')
    .filter(({ value }) => value['name'] !== defaultEnvironmentName(stack));
  return byName(declared, ({ value }) => value);
}

function withoutStackEnvironment(
  app: Record<string, unknown>,
  stack: string,
  resources: FoundResources,
): Values {
  const stackEnvironment = resources
    .ofSection('environments')
    .find(({ value }) => value['name'] === defaultEnvironmentName(stack));
  const { environment, ...otherProperties } = app;
  return environment === undefined || environment === stackEnvironment?.name
    ? otherProperties
    : { environment, ...otherProperties };
}

function adoptRegistration(
  { value, resource }: FoundDeclaration,
  resources: FoundResources,
): Values {
  const { redirectUris, groupMembershipClaims, secret, owners, ...otherProperties } = value;
  const clientId = textAt(resource, 'client_id');
  const apps = resources.ofSection('containerApps').flatMap((app) => {
    const directory = valueAtPath(app.value, ['auth', 'providers', 'directory']);
    return isObject(directory) && directory['clientId'] === clientId ? [{ app, directory }] : [];
  });
  const appHosts = new Set(apps.flatMap(({ app }) => hostsOf(app)));
  const ownUris = (Array.isArray(redirectUris) ? (redirectUris as string[]) : []).filter(
    (uri) => !isAddedByApp(uri, appHosts),
  );
  const groupIds = apps.flatMap(
    ({ directory }) =>
      (Array.isArray(directory['allowedGroups']) ? directory['allowedGroups'] : []) as string[],
  );
  const areSecurityEnabled = groupIds.map((id) => {
    const group = resources.ofSection('groups').find((each) => each.name === resources.nameOf(id));
    return group?.value['securityEnabled'] === true;
  });
  const derivedClaims = groupClaimsOf(undefined, areSecurityEnabled);
  const ownerNames = Array.isArray(owners)
    ? owners.map((id: unknown) => resources.nameOf(id) ?? id)
    : [];
  const hasOwnClaims =
    Array.isArray(groupMembershipClaims) && groupMembershipClaims.join() !== derivedClaims.join();
  const isRotated = isObject(secret) && secret['rotation'] !== undefined;
  const declared = {
    ...otherProperties,
    ...(ownerNames.length !== 0 && { owners: ownerNames }),
    ...(ownUris.length !== 0 && { redirectUris: ownUris }),
    ...(hasOwnClaims && { groupMembershipClaims }),
    ...(isRotated && { secret }),
  };
  return withoutDefaults(declared, registration.schema);
}

/** The hosts of an app: the one that its environment gives it, and its own domains. */
function hostsOf({ value, resource }: FoundDeclaration): readonly string[] {
  const host = valueAtPath(resource.after, ['ingress', 0, 'fqdn']);
  const { customDomains } = value;
  return [
    ...(typeof host === 'string' ? [host] : []),
    ...(isObject(customDomains) ? Object.keys(customDomains) : []),
  ].map((each) => each.toLowerCase());
}

/** Whether an app that uses a registration adds this redirect URI to it. */
function isAddedByApp(uri: string, appHosts: ReadonlySet<string>): boolean {
  if (!URL.canParse(uri)) return false;
  const { host, pathname } = new URL(uri);
  return appHosts.has(host) && /\/login\/[^/]+\/callback$/.test(pathname);
}

function adoptGroup({ value, resource }: FoundDeclaration, resources: FoundResources): Values {
  const objectsOf = (key: string) =>
    (Array.isArray(value[key]) ? (value[key] as string[]) : []).map((id) => ({ id }) as never);
  const { lifecycle, settings } = value;
  const group = { groupTypes: [], ...value } as unknown as Group;
  const declared = declareGroup(
    {
      group,
      owners: objectsOf('owners'),
      members: resource.type === 'azuread_group_without_members' ? undefined : objectsOf('members'),
      acceptedSenders: objectsOf('acceptedSenders'),
      rejectedSenders: objectsOf('rejectedSenders'),
    },
    ({ id }) => resources.nameOf(id) ?? id,
  );
  return {
    ...declared,
    ...omitUndefined({ lifecycle, settings }),
  } as Values;
}

function withWorkspaceName(value: Values, resources: FoundResources): Values {
  return { ...value, workspace: resources.nameOf(value['workspace']) ?? value['workspace'] };
}

function adoptEventstream(
  { value, resource }: FoundDeclaration,
  resources: FoundResources,
): Values {
  const document = valueAtPath(resource.after, [
    'definition',
    'eventstream.json',
    'tokens',
    'Definition',
  ]);
  const definition =
    typeof document === 'string'
      ? graphOf(JSON.parse(document) as Values, resources, value)
      : value['definition'];
  return { ...withWorkspaceName(value, resources), ...omitUndefined({ definition }) };
}

/**
 * The graph of an eventstream as castellan.yaml writes it: input nodes by name, eventhouses of the
 * stack by theirs.
 */
function graphOf(document: Values, resources: FoundResources, { displayName }: Values): Values {
  const nodes = (list: string): readonly Values[] =>
    ((document[list] ?? []) as readonly Values[]).map((each) => nodeOf(each, resources));
  const streams = nodes('streams');
  const [singleStream] = streams;
  const isDefault =
    streams.length === 1 &&
    singleStream?.['name'] === `${String(displayName)}-stream` &&
    singleStream['type'] === 'DefaultStream';
  const operators = nodes('operators');
  return {
    sources: nodes('sources'),
    ...(!isDefault && { streams }),
    ...(operators.length !== 0 && { operators }),
    destinations: nodes('destinations'),
  };
}

function nodeOf(
  { name, type, inputNodes, properties, ...otherMembers }: Values,
  resources: FoundResources,
): Values {
  const values = isObject(properties) ? properties : {};
  const store = type === 'Eventhouse' ? resources.nameOf(values['itemId']) : undefined;
  const { itemId: _item, workspaceId: _workspace, dataIngestionMode, ...otherProperties } = values;
  const ownProperties =
    store === undefined
      ? values
      : {
          ...otherProperties,
          ...(dataIngestionMode !== 'DirectIngestion' && { dataIngestionMode }),
        };
  const inputNames = Array.isArray(inputNodes)
    ? (inputNodes as Values[]).map((each) => each['name'])
    : [];
  return {
    name,
    type,
    ...omitUndefined({ eventhouse: store }),
    ...(inputNames.length !== 0 && { inputNodes: inputNames }),
    ...(Object.keys(ownProperties).length !== 0 && { properties: ownProperties }),
    ...otherMembers,
  };
}
