import type { ConfigPath } from '../../../core/yaml/layers.js';
import type { Declaration, Origin } from '../../engine/stack-index.js';
import type { Section } from '../../schemas/stack.js';
import type { PlannedResource } from './read-plan.js';

type Values = Readonly<Record<string, unknown>>;

/** How one property of a declaration is read from a resource's attributes. */
interface Mapping {
  readonly property: ConfigPath;
  readonly attribute: ConfigPath;
  readonly convert?: (value: unknown) => unknown;
}

const map = (property: string, attribute: string, convert?: (value: unknown) => unknown): Mapping => {
  const steps = attribute.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  return { property: property.split('.'), attribute: steps, ...(convert === undefined ? {} : { convert }) };
};
const text = (value: unknown): unknown => (value === '' ? undefined : value);
const hidden = (value: unknown): unknown => (value === 'Hiddenmembership' ? 'HiddenMembership' : value);

const group: readonly Mapping[] = [
  map('displayName', 'display_name'),
  map('description', 'description', text),
  map('mailNickname', 'mail_nickname'),
  map('groupTypes', 'types'),
  map('mailEnabled', 'mail_enabled'),
  map('securityEnabled', 'security_enabled'),
  map('visibility', 'visibility', hidden),
  map('isAssignableToRole', 'assignable_to_role'),
  map('theme', 'theme', text),
  map('owners', 'owners'),
  map('members', 'members'),
  map('membershipRule', 'dynamic_membership.0.rule'),
  map('resourceBehaviorOptions', 'behaviors', notEmpty),
  map('resourceProvisioningOptions', 'provisioning_options', notEmpty),
];

const item: readonly Mapping[] = [
  map('displayName', 'display_name'),
  map('description', 'description', text),
  map('workspace', 'workspace_id'),
  map('folderId', 'folder_id'),
];

const containerApp: readonly Mapping[] = [
  map('name', 'name'),
  map('image', 'template.0.container.0.image'),
  map('cpu', 'template.0.container.0.cpu'),
  map('memory', 'template.0.container.0.memory'),
  map('replicas.min', 'template.0.min_replicas'),
  map('replicas.max', 'template.0.max_replicas'),
  map('targetPort', 'ingress.0.target_port'),
  map('ingress.external', 'ingress.0.external_enabled'),
  map('ingress.allowInsecure', 'ingress.0.allow_insecure_connections'),
  map('revision.mode', 'revision_mode', (mode) => (typeof mode === 'string' ? mode.toLowerCase() : mode)),
  map('workloadProfile', 'workload_profile_name', text),
  map('revision.traffic', 'ingress.0.traffic_weight', (shares) => (Array.isArray(shares) ? shares.map(trafficShare) : undefined)),
];

/** The resources that declare something, and how. */
const kinds: Readonly<Record<string, { readonly section: Section; readonly mappings: readonly Mapping[] }>> = {
  azuread_group: { section: 'groups', mappings: group },
  azuread_group_without_members: { section: 'groups', mappings: group },
  fabric_workspace: {
    section: 'workspaces',
    mappings: [map('displayName', 'display_name'), map('description', 'description', text), map('capacityId', 'capacity_id')],
  },
  fabric_eventhouse: {
    section: 'eventhouses',
    mappings: [...item, map('minimumConsumptionUnits', 'configuration.minimum_consumption_units')],
  },
  fabric_eventstream: { section: 'eventstreams', mappings: item },
  azurerm_container_app: { section: 'containerApps', mappings: containerApp },
};

/** What a planned resource declares, in the words of castellan.yaml; undefined where it declares nothing that the rules know. */
export function declarationOf(resource: PlannedResource): Declaration | undefined {
  const kind = kinds[resource.type];
  if (kind === undefined || resource.mode !== 'managed' || resource.after === null) return undefined;
  const value: Record<string, unknown> = {};
  const unknownPaths: ConfigPath[] = [];
  for (const { property, attribute, convert } of kind.mappings) {
    if (isUnknown(resource.afterUnknown, attribute)) {
      unknownPaths.push(property);
      put(value, property, '${later}');
      continue;
    }
    const raw = at(resource.after, attribute);
    const converted = raw === null || raw === undefined ? undefined : convert === undefined ? raw : convert(raw);
    if (converted !== undefined && converted !== null) put(value, property, converted);
  }
  return {
    section: kind.section,
    name: resource.name,
    value,
    unknownPaths,
    origin: originOf(resource),
  } as unknown as Declaration;
}

/** Where a resource was seen. */
export function originOf({ address, liveId }: PlannedResource): Origin {
  return { terraformAddress: address, ...(liveId === undefined ? {} : { liveId }) };
}

function trafficShare(share: unknown): Values {
  const { percentage, latest_revision: latest, revision_suffix: revision } = share as Values;
  return {
    weight: percentage,
    ...(latest === true ? { latest } : {}),
    ...(typeof revision === 'string' && revision !== '' ? { revision } : {}),
  };
}

function notEmpty(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

function at(value: unknown, path: ConfigPath): unknown {
  let current = value;
  for (const step of path) {
    if (current === null || typeof current !== 'object') return undefined;
    // Blocks of at most one element are lists in a plan, single nested attributes are not.
    current = typeof step === 'number' && !Array.isArray(current) ? current : (current as Record<string | number, unknown>)[step];
  }
  return current;
}

function isUnknown(shape: unknown, path: ConfigPath): boolean {
  let current = shape;
  for (const step of path) {
    if (current === true) return true;
    if (current === null || typeof current !== 'object') return false;
    current = typeof step === 'number' && !Array.isArray(current) ? current : (current as Record<string | number, unknown>)[step];
  }
  return current === true || (Array.isArray(current) && current.includes(true));
}

function put(target: Record<string, unknown>, path: ConfigPath, value: unknown): void {
  let current = target;
  for (const step of path.slice(0, -1)) current = (current[step] ??= {}) as Record<string, unknown>;
  current[String(path.at(-1))] = value;
}
