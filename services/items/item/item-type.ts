import { itemProperties } from '../../../kinds/item/item.js';

/** What the service knows of a type of items. */
export interface ItemType {
  readonly name: string;
  /** The word of its own endpoints; undefined where only the generic family serves it. */
  readonly word?: string;
  /** Which characters its names may have; undefined: any but control characters. */
  readonly namePattern?: RegExp;
  readonly nameMaxLength: number;
  /** The parts its definition may have besides `.platform`; undefined: any. */
  readonly parts?: readonly string[];
  /** The part that its definition must have. */
  readonly mainPart?: string;
  /** The definition's `format`, besides none. */
  readonly format?: string;
  readonly takesCreationPayload?: true;
  /** The workspace must be on a capacity. */
  readonly needsCapacity?: true;
}

const { pattern, maxLength } = itemProperties.displayName;
const strictName = { namePattern: new RegExp(pattern), nameMaxLength: maxLength };

const understood: readonly ItemType[] = [
  {
    name: 'Eventhouse',
    word: 'eventhouses',
    ...strictName,
    parts: ['EventhouseProperties.json'],
    format: 'eventhouse',
    takesCreationPayload: true,
    needsCapacity: true,
  },
  {
    name: 'Eventstream',
    word: 'eventstreams',
    ...strictName,
    parts: ['eventstream.json', 'eventstreamProperties.json'],
    mainPart: 'eventstream.json',
    format: 'eventstream',
  },
  {
    name: 'KQLDatabase',
    word: 'kqlDatabases',
    ...strictName,
    parts: ['DatabaseProperties.json', 'DatabaseSchema.kql'],
    takesCreationPayload: true,
  },
];

/** The other types of spec 002, "ItemType values": kept by the generic family, definitions as they are. */
const others = [
  ...['Dashboard', 'Report', 'SemanticModel', 'PaginatedReport', 'Datamart', 'Lakehouse', 'Environment', 'KQLQueryset', 'KQLDashboard'],
  ...['DataPipeline', 'Notebook', 'SparkJobDefinition', 'MLExperiment', 'MLModel', 'Warehouse', 'SQLEndpoint', 'MirroredWarehouse'],
  ...['MirroredDatabase', 'Reflex', 'GraphQLApi', 'MountedDataFactory', 'SQLDatabase', 'CopyJob', 'VariableLibrary', 'Dataflow'],
  ...['ApacheAirflowJob', 'WarehouseSnapshot', 'DigitalTwinBuilder', 'DigitalTwinBuilderFlow', 'MirroredPartnerAnalyticsCatalog', 'Map'],
  ...['AnomalyDetector', 'UserDataFunction', 'GraphModel', 'GraphQuerySet', 'PartnerDatabase', 'OperationsAgent', 'DocDBDatabase'],
  ...['Ontology', 'EventSchemaSet', 'DataAgent', 'MirroredCatalog', 'AppBackend', 'OrgApp', 'OrgAppAudience', 'DataBuildToolJob'],
  'PartnerAnalyticsStorage',
];

/** Made by other items or services only. */
const notCreatable = new Set(['Dashboard', 'Datamart', 'PaginatedReport', 'SQLEndpoint', 'MirroredWarehouse']);

/** Every type by its name. */
export const itemTypes: ReadonlyMap<string, ItemType> = new Map(
  [...understood, ...others.map((name): ItemType => ({ name, nameMaxLength: 256 }))].map((type) => [type.name, type]),
);

/** The types with endpoints of their own. */
export const typedFamilies: readonly (ItemType & { readonly word: string })[] = understood.filter(
  (type): type is ItemType & { word: string } => type.word !== undefined,
);

/** Whether items of a type can be asked for. */
export function isCreatable(type: ItemType): boolean {
  return !notCreatable.has(type.name);
}

/** The type with this name. @throws Error for one that was never stored */
export function knownType(name: string): ItemType {
  return itemTypes.get(name) ?? { name, nameMaxLength: 256 };
}
