import type { Declaration, SectionProps } from './stack-index.js';
import { isDynamic, isUnified } from './stack-index.js';
import type { StackConfig } from '../../kinds/stack/schema.js';

/** Properties by name, any of which replaces a thing when it changes. */
export type ReplacingProperties = Readonly<Record<string, unknown>>;

type Settings = Partial<StackConfig>;

/**
 * The properties of a declaration that make the official providers delete the thing and create another one when they change: the only
 * place that states them. What moves a thing to another type of resource replaces it as well.
 */
export const replacingProperties = {
  groups: ({ name, value }: Declaration<'groups'>): ReplacingProperties => ({
    kind: isUnified(value) ? 'unified' : 'security',
    mailNickname: value.mailNickname ?? name,
    dynamicMembership: isDynamic(value) ? 'a rule' : 'members',
    membersManagedElsewhere: value.membersManagedElsewhere ?? false,
    resourceBehaviorOptions: sorted(value.resourceBehaviorOptions),
    resourceProvisioningOptions: sorted(value.resourceProvisioningOptions),
  }),
  registrations: ({ value }: Declaration<'registrations'>): ReplacingProperties => {
    const said = ofWholeApplication.filter((property) => value[property] !== undefined);
    return { [said[0] ?? 'owners']: said.length > 0 ? 'declared' : undefined };
  },
  environments: ({ name, value }: Declaration<'environments'>, settings: Settings): ReplacingProperties => ({
    name: value.name ?? name,
    ...placeOf(settings),
  }),
  containerApps: ({ name, value }: Declaration<'containerApps'>, settings: Settings): ReplacingProperties => ({
    name: value.name ?? name,
    environment: value.environment,
    ...placeOf(settings),
  }),
  eventhouses: ({ value }: Declaration<'eventhouses'>): ReplacingProperties => ({
    minimumConsumptionUnits: value.minimumConsumptionUnits ?? value.creationPayload?.minimumConsumptionUnits,
    workspace: value.workspace,
    ...labelled(value),
  }),
  eventstreams: ({ value }: Declaration<'eventstreams'>): ReplacingProperties => ({ workspace: value.workspace, ...labelled(value) }),
} as const;

/** What only `azuread_application` can say: a registration that says the first of them, or none any more, is another resource. */
const ofWholeApplication = ['owners', 'appRoles', 'scopes', 'identifierUris', 'requiredPermissions', 'tags'] as const;

function placeOf({ azure }: Settings): ReplacingProperties {
  return { 'azure.resourceGroup': azure?.resourceGroup, 'azure.location': azure?.location?.toLowerCase().replaceAll(' ', '') };
}

/** The official provider knows no sensitivity label: an item with one is a resource of castellan's own provider. */
function labelled({ sensitivityLabelSettings: label }: SectionProps['eventhouses' | 'eventstreams']): ReplacingProperties {
  return { sensitivityLabelSettings: label === undefined ? undefined : 'a label' };
}

function sorted(list: readonly string[] | undefined): string {
  return [...(list ?? [])].sort().join(' ');
}
