import type { Application, DirectoryObject } from '../../../clients/directory/index.js';
import { authConfigId, type Resource } from '../../../clients/resource-manager/index.js';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { PlannedResource } from '../../../policies/engine/planned-resource.js';
import { unchangedResource } from '../../../policies/sources/state/read-state.js';
import type { Api } from '../../../provider/handlers/handler.js';
import { existingObjectReader } from '../../../provider/existing-objects.js';
import { filterOptions, groupKindOf, objectTypeOf } from '../directory/group-output.js';
import { DeclaredNames, toDeclaredName } from './adopt-groups.js';

/** The part of the services to read. */
export interface LiveScope {
  /** The resource group of the apps. @default the only one */
  readonly resourceGroup?: string;
  /** The filter of groups, as in `castellan directory groups --filter`. @default all */
  readonly filter?: string;
  /** Called with a note about each object that cannot be adopted. */
  readonly note: (message: string) => void;
}

/**
 * Reads apps with their sign-in layer, registrations, groups, workspaces and items from the
 * services, as Terraform's state would have them after an import.
 *
 * @throws CAS8204 when there are several resource groups and none is named, or the named one does
 *   not exist.
 */
export async function liveResources(api: Api, scope: LiveScope): Promise<PlannedResource[]> {
  const read = existingObjectReader(api);
  const resources: PlannedResource[] = [];
  const names = new Map<string, DeclaredNames>();
  const addResource: AddResource = async (type, id, displayName, extraValues) => {
    const values = await read(type, id);
    if (values === undefined) return;
    const namesOfType = names.get(type) ?? new DeclaredNames();
    names.set(type, namesOfType);
    const name = namesOfType.claimName(id, displayName);
    const identity = { address: `${type}.${name}`, mode: 'managed', type, name, providerName: '' };
    resources.push(unchangedResource(identity, { ...values, ...(await extraValues?.(values)) }));
  };
  const resourceGroup = await resourceGroupOf(api, scope);
  if (resourceGroup !== undefined) await addApps(api, resourceGroup, addResource);
  const people = new Map<string, PlannedResource>();
  await addRegistrations(api, addResource, people);
  await addGroups(api, scope, addResource, people);
  resources.push(...people.values());
  await addItems(api, addResource);
  return resources;
}

type Values = Readonly<Record<string, unknown>>;

/** Adds an object with its attributes and the values that an import omits. */
type AddResource = (
  type: string,
  id: string,
  displayName: string,
  extraValues?: (values: Values) => Values | Promise<Values>,
) => Promise<void>;

async function resourceGroupOf(
  api: Api,
  { resourceGroup }: LiveScope,
): Promise<Resource | undefined> {
  const groups: Resource[] = [];
  for await (const each of api.resourceManager.resourceGroups.list(api.identity.subscriptionId))
    groups.push(each);
  const names = groups.map(({ name }) => name).join(', ');
  if (resourceGroup === undefined) {
    if (groups.length > 1)
      throw new CastellanError(
        'CAS8204',
        `there are ${String(groups.length)} resource groups, and a stack has one: --resource-group names it (${names})`,
      );
    return groups[0];
  }
  const match = groups.find(({ name }) => name.toLowerCase() === resourceGroup.toLowerCase());
  if (match === undefined)
    throw new CastellanError(
      'CAS8204',
      `there is no resource group "${resourceGroup}"; there are ${names}`,
    );
  return match;
}

async function addApps(
  { resourceManager }: Api,
  resourceGroup: Resource,
  addResource: AddResource,
): Promise<void> {
  await addResource('azurerm_resource_group', resourceGroup.id, resourceGroup.name);
  for await (const { id, name } of resourceManager.managedEnvironments.list(resourceGroup.id))
    await addResource('azurerm_container_app_environment', id, name);
  for await (const { id, name } of resourceManager.containerApps.list(resourceGroup.id)) {
    await addResource('azurerm_container_app', id, name);
    await addResource('azapi_resource', `${authConfigId(id)}?api-version=2025-07-01`, name);
  }
}

/** @param people gets the owners, as looked-up data. */
async function addRegistrations(
  { directory }: Api,
  addResource: AddResource,
  people: Map<string, PlannedResource>,
): Promise<void> {
  for await (const application of directory.applications.list()) {
    const { id, displayName } = application;
    const hasOwners = await addPeople(directory.applications.owners.list(id), people);
    const type =
      hasOwners || needsFullResource(application)
        ? 'azuread_application'
        : 'azuread_application_registration';
    await addResource(type, `/applications/${id}`, displayName);
    if (type === 'azuread_application_registration')
      await addResource(
        'azuread_application_redirect_uris',
        `/applications/${id}/redirectUris/Web`,
        displayName,
      );
  }
}

async function addItems(
  { items: { workspaces, eventhouses, eventstreams } }: Api,
  addResource: AddResource,
): Promise<void> {
  for await (const { id, displayName } of workspaces.list()) {
    await addResource('fabric_workspace', id, displayName);
    for await (const house of eventhouses.list(id))
      await addResource(
        'fabric_eventhouse',
        `${id}/${house.id}`,
        house.displayName,
        ({ properties }) => ({
          configuration: properties,
        }),
      );
    for await (const stream of eventstreams.list(id))
      await addResource(
        'fabric_eventstream',
        `${id}/${stream.id}`,
        stream.displayName,
        async () => {
          const { parts } = await eventstreams.getDefinition(id, stream.id);
          const document = parts.find(({ path }) => path === 'eventstream.json');
          if (document === undefined) return {};
          const tokens = { Definition: Buffer.from(document.payload, 'base64').toString('utf8') };
          return { definition: { 'eventstream.json': { tokens } } };
        },
      );
  }
}

/** Whether an application has settings that azuread_application_registration does not support. */
function needsFullResource({
  appRoles = [],
  identifierUris = [],
  api,
  optionalClaims,
}: Application): boolean {
  const hasOptionalClaims = Object.values(optionalClaims ?? {}).some(
    (each) => Array.isArray(each) && each.length > 0,
  );
  return (
    appRoles.length > 0 ||
    identifierUris.length > 0 ||
    (api?.oauth2PermissionScopes ?? []).length > 0 ||
    hasOptionalClaims
  );
}

/** Adds the people of a list; returns whether the list has any object. */
async function addPeople(
  list: AsyncIterable<DirectoryObject>,
  people: Map<string, PlannedResource>,
): Promise<boolean> {
  let count = 0;
  for await (const object of list) {
    count++;
    const person = toDataSource(object);
    if (person !== undefined) people.set(object.id, person);
  }
  return count > 0;
}

/** @param people gets the owners and members of the groups, as looked-up data. */
async function addGroups(
  { directory }: Api,
  { filter, note }: LiveScope,
  addResource: AddResource,
  people: Map<string, PlannedResource>,
): Promise<void> {
  for await (const group of directory.groups.list(filterOptions(filter))) {
    const kind = groupKindOf(group);
    if (kind !== 'security' && kind !== 'unified') {
      note(
        `${group.displayName} (${group.id}) is a ${kind} group, which can't be managed through the directory: left out`,
      );
      continue;
    }
    await addResource(
      'azuread_group',
      `/groups/${group.id}`,
      group.mailNickname ?? group.displayName,
    );
    for (const list of [directory.groups.owners, directory.groups.members])
      await addPeople(list.list(group.id), people);
  }
}

/** A person in the form of a lookup by name. Others are declared by their object id. */
function toDataSource(object: DirectoryObject): PlannedResource | undefined {
  const { userPrincipalName } = object as { readonly userPrincipalName?: string };
  if (objectTypeOf(object) !== 'user' || userPrincipalName === undefined) return undefined;
  const identity = {
    address: `data.azuread_user.${object.id}`,
    mode: 'data',
    type: 'azuread_user',
    providerName: '',
  };
  const name = toDeclaredName(userPrincipalName.split('@')[0]);
  return unchangedResource(
    { ...identity, name },
    { object_id: object.id, user_principal_name: userPrincipalName },
  );
}
