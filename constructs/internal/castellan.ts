import packageJson from '../../package.json';
import type { Construct, TerraformMetaArguments } from './cdktf.js';
import { PlainProvider, PlainResource } from './plain-resource.js';
import type { ProviderOrigin } from './plain-resource.js';

/** Castellan's own provider, for what the official ones can't say. */
export const castellan: ProviderOrigin = { name: 'castellan', source: 'castellan/castellan', version: packageJson.version };

/** What the castellan provider needs to know; everything else it takes from its environment (`ARM_…`). */
export interface CastellanProviderConfig {
  readonly tenantId?: string;
}

/** `provider "castellan"`. */
export class CastellanProvider extends PlainProvider {
  constructor(scope: Construct, id: string, config: CastellanProviderConfig = {}) {
    super(scope, id, castellan, { tenant_id: config.tenantId });
  }
}

/** `castellan_group_properties`: goes with an `azuread_group`; what is left out is not touched. */
export interface CastellanGroupPropertiesConfig extends TerraformMetaArguments {
  readonly groupObjectId: string;
  readonly classification?: string;
  readonly preferredLanguage?: string;
  readonly preferredDataLocation?: string;
  readonly uniqueName?: string;
  readonly assignedLabelIds?: readonly string[];
  readonly acceptedSenders?: readonly string[];
  readonly rejectedSenders?: readonly string[];
  readonly assignedLicenses?: readonly { readonly skuId: string; readonly disabledPlans?: readonly string[] }[];
  readonly accessType?: string;
  readonly subscribedByMail?: boolean;
  readonly favorite?: boolean;
}

/** {@link CastellanGroupPropertiesConfig} */
export class CastellanGroupProperties extends PlainResource {
  constructor(scope: Construct, id: string, config: CastellanGroupPropertiesConfig) {
    const { groupObjectId, classification, preferredLanguage, preferredDataLocation, uniqueName, ...others } = config;
    const { assignedLabelIds, acceptedSenders, rejectedSenders, assignedLicenses, accessType, subscribedByMail, favorite, ...meta } =
      others;
    super(
      scope,
      id,
      { type: 'castellan_group_properties', origin: castellan, meta },
      {
        group_object_id: groupObjectId,
        classification,
        preferred_language: preferredLanguage,
        preferred_data_location: preferredDataLocation,
        unique_name: uniqueName,
        assigned_label_ids: assignedLabelIds,
        accepted_senders: acceptedSenders,
        rejected_senders: rejectedSenders,
        assigned_licenses: assignedLicenses?.map(({ skuId, disabledPlans }) => ({ sku_id: skuId, disabled_plans: disabledPlans })),
        access_type: accessType,
        subscribed_by_mail: subscribedByMail,
        favorite,
      },
    );
  }
}

/** `castellan_group_settings`: a setting made from a template, of one group. */
export interface CastellanGroupSettingsConfig extends TerraformMetaArguments {
  readonly groupObjectId: string;
  /** The name of the template: `Group.Unified.Guest`. */
  readonly template: string;
  /** Values by name, all as text. */
  readonly values: Readonly<Record<string, string>>;
}

/** {@link CastellanGroupSettingsConfig} */
export class CastellanGroupSettings extends PlainResource {
  constructor(scope: Construct, id: string, config: CastellanGroupSettingsConfig) {
    const { groupObjectId, template, values, ...meta } = config;
    super(scope, id, { type: 'castellan_group_settings', origin: castellan, meta }, { group_object_id: groupObjectId, template, values });
  }
}

/** `castellan_group_lifecycle_policy`: when unified groups expire; a tenant has one. */
export interface CastellanGroupLifecyclePolicyConfig extends TerraformMetaArguments {
  readonly groupLifetimeInDays: number;
  readonly managedGroupTypes: string;
  readonly alternateNotificationEmails?: readonly string[];
  /** The groups that expire, for `Selected`. */
  readonly groupObjectIds?: readonly string[];
}

/** {@link CastellanGroupLifecyclePolicyConfig} */
export class CastellanGroupLifecyclePolicy extends PlainResource {
  constructor(scope: Construct, id: string, config: CastellanGroupLifecyclePolicyConfig) {
    const { groupLifetimeInDays, managedGroupTypes, alternateNotificationEmails, groupObjectIds, ...meta } = config;
    const attributes = {
      group_lifetime_in_days: groupLifetimeInDays,
      managed_group_types: managedGroupTypes,
      alternate_notification_emails: alternateNotificationEmails,
      group_object_ids: groupObjectIds,
    };
    super(scope, id, { type: 'castellan_group_lifecycle_policy', origin: castellan, meta }, attributes);
  }
}

/** What castellan's eventhouses and eventstreams have in common, beyond the official ones: a label, any parts, a format. */
export interface CastellanItemConfig extends TerraformMetaArguments {
  readonly workspaceId: string;
  readonly displayName: string;
  readonly description?: string;
  readonly folderId?: string;
  readonly tags?: readonly string[];
  readonly sensitivityLabel?: { readonly labelId: string; readonly applyStrategy?: string };
  readonly definition?: {
    readonly format?: string;
    /** By the part's path; each has its content in one of the two ways. */
    readonly parts: Readonly<Record<string, { readonly content?: string; readonly contentBase64?: string }>>;
  };
}

/** `castellan_eventhouse`. */
export interface CastellanEventhouseConfig extends CastellanItemConfig {
  /** Never beside a definition; any change is a replacement. */
  readonly minimumConsumptionUnits?: number;
}

/** {@link CastellanEventhouseConfig} */
export class CastellanEventhouse extends PlainResource {
  constructor(scope: Construct, id: string, config: CastellanEventhouseConfig) {
    const { minimumConsumptionUnits, ...item } = config;
    const { attributes, meta } = itemAttributes(item);
    const all = { ...attributes, minimum_consumption_units: minimumConsumptionUnits };
    super(scope, id, { type: 'castellan_eventhouse', origin: castellan, meta }, all);
  }
}

/** `castellan_eventstream`. */
export class CastellanEventstream extends PlainResource {
  constructor(scope: Construct, id: string, config: CastellanItemConfig) {
    const { attributes, meta } = itemAttributes(config);
    super(scope, id, { type: 'castellan_eventstream', origin: castellan, meta }, attributes);
  }
}

function itemAttributes(config: CastellanItemConfig) {
  const { workspaceId, displayName, description, folderId, tags, sensitivityLabel: label, definition, ...meta } = config;
  const parts = Object.entries(definition?.parts ?? {}).map(([path, { content, contentBase64 }]) => [
    path,
    { content, content_base64: contentBase64 },
  ]);
  return {
    meta,
    attributes: {
      workspace_id: workspaceId,
      display_name: displayName,
      description,
      folder_id: folderId,
      tags,
      sensitivity_label: label === undefined ? undefined : { label_id: label.labelId, apply_strategy: label.applyStrategy },
      definition: definition === undefined ? undefined : { format: definition.format, parts: Object.fromEntries(parts) as object },
    },
  };
}
