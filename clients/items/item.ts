/** What every workspace item carries (Items rules, "Workspace items: common objects"). */
export interface Item {
  /** The id, a GUID. */
  readonly id: string;
  /** The type of item, such as `Eventhouse`. */
  readonly type: string;
  /** The name, unique in its workspace among items of its type. */
  readonly displayName: string;
  /** What it is for; empty where nothing was said. */
  readonly description: string;
  /** The workspace that holds it. */
  readonly workspaceId: string;
  /** Absent: the item is in the workspace itself. */
  readonly folderId?: string;
  /** Its sensitivity label. @default none */
  readonly sensitivityLabel?: { readonly id: string };
  /** The tags on it. @default none */
  readonly tags?: readonly ItemTag[];
  /** Who the item acts as. @default none */
  readonly defaultIdentity?: Principal;
}

/** A tag on an item. */
export interface ItemTag {
  readonly id: string;
  readonly displayName: string;
}

/** An eventhouse, with the addresses and databases behind it. */
export interface Eventhouse extends Item {
  /** Its addresses and databases. */
  readonly properties?: EventhouseProperties;
}

/**
 * What an eventhouse has besides what every item has.
 *
 * @see https://github.com/castellan/castellan/blob/main/docs/reference/items-rules.md, "Get eventhouse"
 */
export interface EventhouseProperties {
  /** The ids of the child query databases. */
  readonly databasesItemIds: readonly string[];
  readonly ingestionServiceUri: string;
  readonly queryServiceUri: string;
  readonly minimumConsumptionUnits?: number;
}

/** An eventstream: an item without properties of its own. */
export type Eventstream = Item;

/** A query database, child of an eventhouse. */
export interface KqlDatabase extends Item {
  readonly properties?: {
    readonly parentEventhouseItemId: string;
    readonly queryServiceUri?: string;
    readonly ingestionServiceUri?: string;
    readonly databaseType?: string;
  };
}

/** The public definition of an item: its files. */
export interface ItemDefinition {
  /** Such as `eventstream`. */
  readonly format?: string;
  /** The files. */
  readonly parts: readonly DefinitionPart[];
}

/** One file of a definition. */
export interface DefinitionPart {
  /** Such as `eventstream.json` or `.platform`. */
  readonly path: string;
  /** The content, by `payloadType`: base64. */
  readonly payload: string;
  readonly payloadType: 'InlineBase64' | (string & {});
}

/** What is asked for when an item is created. */
export interface CreateItem {
  readonly displayName: string;
  /** At most 256 characters. */
  readonly description?: string;
  /** For query databases `{databaseType, parentEventhouseItemId}`. */
  readonly creationPayload?: Readonly<Record<string, unknown>> | null;
  readonly definition?: ItemDefinition | null;
  /** Absent or null: the workspace itself. */
  readonly folderId?: string | null;
  readonly sensitivityLabelSettings?: SensitivityLabelSettings;
}

/**
 * The label that an item gets.
 *
 * @see https://github.com/castellan/castellan/blob/main/docs/reference/items-rules.md, "SensitivityLabelSettings"
 */
export interface SensitivityLabelSettings {
  readonly labelId: string;
  /** @default 'ApplyOrFail' */
  readonly sensitivityLabelApplyStrategy?: 'ApplyOrFail' | 'Ignore';
}

/** What can be changed on an item; what is left out stays. */
export interface UpdateItem {
  readonly displayName?: string;
  readonly description?: string;
}

/** Who is behind an item or a role (Items rules, "Principal"), discriminated by `type`; further types may come and pass through. */
export interface Principal {
  readonly id: string;
  readonly type: 'User' | 'ServicePrincipal' | 'Group' | 'ServicePrincipalProfile' | 'EntireTenant' | (string & {});
  readonly displayName?: string;
  readonly userDetails?: { readonly userPrincipalName?: string };
  /** `directoryAppId` in the neutral dialect, `aadAppId` in the azure one. */
  readonly servicePrincipalDetails?: { readonly directoryAppId?: string; readonly aadAppId?: string };
  readonly groupDetails?: { readonly groupType?: 'Unknown' | 'SecurityGroup' | 'DistributionList' | (string & {}) };
  readonly servicePrincipalProfileDetails?: { readonly parentPrincipal?: Principal };
}
