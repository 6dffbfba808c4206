import { itemProperties } from '../../../kinds/item/item.js';

/** The description of a type of items. */
export interface ItemType {
  /** `Eventhouse`, as in answers. */
  readonly name: string;
  /**
   * The path segment of its own endpoints, such as `eventhouses`; undefined for an unknown type
   * stored by another version.
   */
  readonly collection?: string;
  /** The allowed characters of its names; undefined: all but control characters. */
  readonly namePattern?: RegExp;
  readonly maxNameBytes: number;
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
const strictNaming = { namePattern: new RegExp(pattern), maxNameBytes: maxLength };

/** The most bytes in the names of the other types. */
const defaultMaxNameBytes = 256;

/** The types whose names and definitions are checked. */
const describedTypes: readonly ItemType[] = [
  {
    name: 'Eventhouse',
    collection: 'eventhouses',
    ...strictNaming,
    parts: ['EventhouseProperties.json'],
    format: 'eventhouse',
    needsCapacity: true,
  },
  {
    name: 'Eventstream',
    collection: 'eventstreams',
    ...strictNaming,
    parts: ['eventstream.json', 'eventstreamProperties.json'],
    mainPart: 'eventstream.json',
    format: 'eventstream',
  },
  {
    name: 'KQLDatabase',
    collection: 'kqlDatabases',
    ...strictNaming,
    parts: ['DatabaseProperties.json', 'DatabaseSchema.kql'],
  },
];

/** The other types: their definitions are stored as sent. */
const otherTypeNames = [
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

/** The path segment of a type's endpoints: `lakehouses`, `mlModels`, `variableLibraries`. */
function collectionName(name: string): string {
  const camelCase = name.replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/, (capitals) =>
    capitals.toLowerCase(),
  );
  if (/(s|x|ch)$/.test(camelCase)) return `${camelCase}es`;
  return camelCase.endsWith('y') ? `${camelCase.slice(0, -1)}ies` : `${camelCase}s`;
}

/** Every type by its name. */
export const itemTypes: ReadonlyMap<string, ItemType> = new Map(
  [
    ...describedTypes,
    ...otherTypeNames.map((name): ItemType => ({
      name,
      collection: collectionName(name),
      maxNameBytes: defaultMaxNameBytes,
    })),
  ].map((type) => [type.name, type]),
);

/** The types with endpoints of their own. */
export const typesWithOwnEndpoints: readonly (ItemType & { readonly collection: string })[] = [
  ...itemTypes.values(),
].filter((type): type is ItemType & { collection: string } => type.collection !== undefined);

/** Whether items of a type can be created by a request. */
export function isCreatable(type: ItemType): boolean {
  return !notCreatable.has(type.name);
}

/** The type with this name. */
export function getItemType(name: string): ItemType {
  return itemTypes.get(name) ?? { name, maxNameBytes: defaultMaxNameBytes };
}
