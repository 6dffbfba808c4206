/** The properties of every workspace item (Items rules, "Workspace items: common objects"). */
export interface Item {
  /** The id, a GUID. */
  readonly id: string;
  /** The type of item, such as `Eventhouse`. */
  readonly type: string;
  /** The name, unique in its workspace among items of its type. */
  readonly displayName: string;
  /** The description; empty by default. */
  readonly description: string;
  /** The workspace that holds it. */
  readonly workspaceId: string;
  /** Absent for items at the root of the workspace. */
  readonly folderId?: string;
  /** Its sensitivity label. @default none */
  readonly sensitivityLabel?: { readonly id: string };
  /** The tags on it. @default none */
  readonly tags?: readonly ItemTag[];
  /** The identity that the item uses. @default none */
  readonly defaultIdentity?: Principal;
}

/** A tag on an item. */
export interface ItemTag {
  readonly id: string;
  readonly displayName: string;
}

/** An eventhouse, with its service addresses and databases. */
export interface Eventhouse extends Item {
  /** Its service addresses and databases. */
  readonly properties?: EventhouseProperties;
}

/**
 * The properties of an eventhouse beyond those of every item.
 *
 * @see https://github.com/castellan/castellan/blob/main/docs/reference/items-rules.md, "Get
 *   eventhouse"
 */
export interface EventhouseProperties {
  /** The ids of the child query databases. */
  readonly databasesItemIds: readonly string[];
  readonly ingestionServiceUri: string;
  readonly queryServiceUri: string;
  /** The capacity units that are paid even if less is used. @default 0 */
  readonly minimumConsumptionUnits?: number;
}

/** An eventstream, which has no properties beyond those of every item. */
export type Eventstream = Item;

/** A query database, child of an eventhouse. */
export interface KqlDatabase extends Item {
  readonly properties?: {
    readonly parentEventhouseItemId: string;
    readonly queryServiceUri?: string;
    readonly ingestionServiceUri?: string;
    /** `ReadWrite`, or `Shortcut` for one that shows the data of another database. */
    readonly databaseType?: string;
  };
}

/** The public definition of an item: a list of files. */
export interface ItemDefinition {
  /** The format of the files, such as `eventstream`. */
  readonly format?: string;
  /** The files. */
  readonly parts: readonly DefinitionPart[];
}

/** One file of a definition. */
export interface DefinitionPart {
  /** A path such as `eventstream.json` or `.platform`. */
  readonly path: string;
  /** The content in base64 (`payloadType`). */
  readonly payload: string;
  readonly payloadType: 'InlineBase64' | (string & {});
}

/** The properties of a new item. */
export interface CreateItemRequest {
  readonly displayName: string;
  /** At most 256 characters. */
  readonly description?: string;
  /** For query databases `{databaseType, parentEventhouseItemId}`. */
  readonly creationPayload?: Readonly<Record<string, unknown>> | null;
  readonly definition?: ItemDefinition | null;
  /** The folder; absent or null for the root of the workspace. */
  readonly folderId?: string | null;
  readonly sensitivityLabelSettings?: SensitivityLabelSettings;
}

/**
 * The sensitivity label of a new item.
 *
 * @see https://github.com/castellan/castellan/blob/main/docs/reference/items-rules.md,
 *   "SensitivityLabelSettings"
 */
export interface SensitivityLabelSettings {
  readonly labelId: string;
  /** @default 'ApplyOrFail' */
  readonly sensitivityLabelApplyStrategy?: 'ApplyOrFail' | 'Ignore';
}

/** The changes of an item; absent properties keep their values. */
export interface UpdateItemRequest {
  readonly displayName?: string;
  readonly description?: string;
}

/**
 * The principal of an item or a role (Items rules, "Principal"), discriminated by `type`; unknown
 * types pass through.
 */
export interface Principal {
  /** The object id in the directory. */
  readonly id: string;
  readonly type:
    | 'User'
    | 'ServicePrincipal'
    | 'Group'
    | 'ServicePrincipalProfile'
    | 'EntireTenant'
    | (string & {});
  readonly displayName?: string;
  readonly userDetails?: { readonly userPrincipalName?: string };
  /** `directoryAppId` in the neutral dialect, `aadAppId` in the azure one. */
  readonly servicePrincipalDetails?: {
    readonly directoryAppId?: string;
    readonly aadAppId?: string;
  };
  readonly groupDetails?: {
    readonly groupType?: 'Unknown' | 'SecurityGroup' | 'DistributionList' | (string & {});
  };
  readonly servicePrincipalProfileDetails?: {
    /** The service principal that owns the profile. */
    readonly parentPrincipal?: Principal;
  };
}
