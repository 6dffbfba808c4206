import type { Construct, TerraformMetaArguments } from './cdktf.js';
import { PlainProvider, PlainResource } from './plain-resource.js';
import type { ProviderOrigin } from './plain-resource.js';
import { providerVersions } from './provider-versions.js';

/** The provider for workspaces and their items; npm has no binding for it. */
export const fabric: ProviderOrigin = { name: 'fabric', source: 'microsoft/fabric', version: providerVersions.fabric };

/** What fabric needs to know; everything else it takes from its environment (`FABRIC_…`, `ARM_…`). */
export interface FabricProviderConfig {
  readonly tenantId?: string;
}

/** `provider "fabric"`. */
export class FabricProvider extends PlainProvider {
  constructor(scope: Construct, id: string, config: FabricProviderConfig = {}) {
    super(scope, id, fabric, { tenant_id: config.tenantId });
  }
}

/** `fabric_workspace`. */
export interface FabricWorkspaceConfig extends TerraformMetaArguments {
  readonly displayName: string;
  readonly description?: string;
  readonly capacityId?: string;
  readonly skipCapacityStateValidation?: boolean;
  readonly identity?: { readonly type: 'SystemAssigned' };
}

/** {@link FabricWorkspaceConfig} */
export class FabricWorkspace extends PlainResource {
  constructor(scope: Construct, id: string, config: FabricWorkspaceConfig) {
    const { displayName, description, capacityId, skipCapacityStateValidation, identity, ...meta } = config;
    const attributes = {
      display_name: displayName,
      description,
      capacity_id: capacityId,
      skip_capacity_state_validation: skipCapacityStateValidation,
      identity,
    };
    super(scope, id, { type: 'fabric_workspace', origin: fabric, meta }, attributes);
  }
}

/** `fabric_workspace_role_assignment`. */
export interface FabricWorkspaceRoleAssignmentConfig extends TerraformMetaArguments {
  readonly workspaceId: string;
  readonly principal: { readonly id: string; readonly type: string };
  readonly role: string;
}

/** {@link FabricWorkspaceRoleAssignmentConfig} */
export class FabricWorkspaceRoleAssignment extends PlainResource {
  constructor(scope: Construct, id: string, config: FabricWorkspaceRoleAssignmentConfig) {
    const { workspaceId, principal, role, ...meta } = config;
    const attributes = { workspace_id: workspaceId, principal, role };
    super(scope, id, { type: 'fabric_workspace_role_assignment', origin: fabric, meta }, attributes);
  }
}

/** One part of a definition: a file that is read at plan time, with tokens filled in. */
export interface FabricDefinitionPart {
  readonly source: string;
  readonly tokens?: Readonly<Record<string, string>>;
  readonly processingMode?: 'GoTemplate' | 'Parameters' | 'None';
}

/** What eventhouses and eventstreams have in common. */
export interface FabricItemConfig extends TerraformMetaArguments {
  readonly workspaceId: string;
  readonly displayName: string;
  readonly description?: string;
  readonly folderId?: string;
  readonly tags?: readonly string[];
  /** `Default`, and only beside {@link definition}. */
  readonly format?: 'Default';
  /** By the part's path. The provider takes one part. */
  readonly definition?: Readonly<Record<string, FabricDefinitionPart>>;
}

/** `fabric_eventhouse`. */
export interface FabricEventhouseConfig extends FabricItemConfig {
  /** Never beside a definition; any change is a replacement. */
  readonly configuration?: { readonly minimumConsumptionUnits: number };
}

/** {@link FabricEventhouseConfig} */
export class FabricEventhouse extends PlainResource {
  constructor(scope: Construct, id: string, config: FabricEventhouseConfig) {
    const { configuration, ...item } = config;
    const { attributes, meta } = itemAttributes(item);
    const units = configuration === undefined ? undefined : { minimum_consumption_units: configuration.minimumConsumptionUnits };
    super(scope, id, { type: 'fabric_eventhouse', origin: fabric, meta }, { ...attributes, configuration: units });
  }
}

/** `fabric_eventstream`. */
export class FabricEventstream extends PlainResource {
  constructor(scope: Construct, id: string, config: FabricItemConfig) {
    const { attributes, meta } = itemAttributes(config);
    super(scope, id, { type: 'fabric_eventstream', origin: fabric, meta }, attributes);
  }
}

function itemAttributes(config: FabricItemConfig) {
  const { workspaceId, displayName, description, folderId, tags, format, definition, ...meta } = config;
  const parts =
    definition === undefined
      ? undefined
      : Object.fromEntries(Object.entries(definition).map(([path, part]) => [path, partAttributes(part)]));
  return {
    meta,
    attributes: { workspace_id: workspaceId, display_name: displayName, description, folder_id: folderId, tags, format, definition: parts },
  };
}

function partAttributes({ source, tokens, processingMode }: FabricDefinitionPart) {
  return { source, tokens, processing_mode: processingMode };
}
