import { itemProperties } from '../../../kinds/item/item.js';

/** The description of a type of items. */
export interface ItemType {
  readonly name: string;
  /** The segment of its own endpoints; undefined for an unknown type stored by another version. */
  readonly word?: string;
  /** The allowed characters of its names; undefined: all but control characters. */
  readonly namePattern?: RegExp;
  readonly nameMaxLength: number;
  /** The allowed parts of its definition besides `.platform`; undefined: any. */
  readonly parts?: readonly string[];
  /** The required part of its definition. */
  readonly mainPart?: string;
  /** The `format` of the definition; it may be omitted. */
  readonly format?: string;
  /** The workspace needs a capacity. */
  readonly needsCapacity?: true;
}

const { pattern, maxLength } = itemProperties.displayName;
const strictName = { namePattern: new RegExp(pattern), nameMaxLength: maxLength };

const withSettings: readonly ItemType[] = [
  {
    name: 'Eventhouse',
    word: 'eventhouses',
    ...strictName,
    parts: ['EventhouseProperties.json'],
    format: 'eventhouse',
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
  },
];

/** The other values of ItemType: definitions are stored as sent. */
const others = [
  'Dashboard',
  'Report',
  'SemanticModel',
  'PaginatedReport',
  'Datamart',
  'Lakehouse',
  'Environment',
  'KQLQueryset',
  'KQLDashboard',
  'DataPipeline',
  'Notebook',
  'SparkJobDefinition',
  'MLExperiment',
  'MLModel',
  'Warehouse',
  'SQLEndpoint',
  'MirroredWarehouse',
  'MirroredDatabase',
  'Reflex',
  'GraphQLApi',
  'MountedDataFactory',
  'SQLDatabase',
  'CopyJob',
  'VariableLibrary',
  'Dataflow',
  'ApacheAirflowJob',
  'WarehouseSnapshot',
  'DigitalTwinBuilder',
  'DigitalTwinBuilderFlow',
  'MirroredPartnerAnalyticsCatalog',
  'Map',
  'AnomalyDetector',
  'UserDataFunction',
  'GraphModel',
  'GraphQuerySet',
  'PartnerDatabase',
  'OperationsAgent',
  'DocDBDatabase',
  'Ontology',
  'EventSchemaSet',
  'DataAgent',
  'MirroredCatalog',
  'AppBackend',
  'OrgApp',
  'OrgAppAudience',
  'DataBuildToolJob',
  'PartnerAnalyticsStorage',
];

/** Created by other items or services only. */
const notCreatable = new Set([
  'Dashboard',
  'Datamart',
  'PaginatedReport',
  'SQLEndpoint',
  'MirroredWarehouse',
]);

/** The segment of a type's endpoints: `lakehouses`, `mlModels`, `variableLibraries`. */
function wordOf(name: string): string {
  const start = name.replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/, (capitals) =>
    capitals.toLowerCase(),
  );
  if (/(s|x|ch)$/.test(start)) return `${start}es`;
  return start.endsWith('y') ? `${start.slice(0, -1)}ies` : `${start}s`;
}

/** Every type by its name. */
export const itemTypes: ReadonlyMap<string, ItemType> = new Map(
  [
    ...withSettings,
    ...others.map((name): ItemType => ({ name, word: wordOf(name), nameMaxLength: 256 })),
  ].map((type) => [type.name, type]),
);

/** The types with endpoints of their own. */
export const typedFamilies: readonly (ItemType & { readonly word: string })[] = [
  ...itemTypes.values(),
].filter((type): type is ItemType & { word: string } => type.word !== undefined);

/** Whether items of a type can be created by a request. */
export function isCreatable(type: ItemType): boolean {
  return !notCreatable.has(type.name);
}

/** The type with this name. */
export function getItemType(name: string): ItemType {
  return itemTypes.get(name) ?? { name, nameMaxLength: 256 };
}
