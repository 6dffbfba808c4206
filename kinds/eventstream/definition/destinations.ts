import { inputSchemas, nodeReference, runtime, serialization } from './common-shapes.js';
import { choice, integer, list, object, text, uuid } from './shape.js';
import type { Shape } from './shape.js';

const item = { workspaceId: uuid, itemId: uuid };

const properties: Readonly<Record<string, Shape>> = {
  Activator: object(item, { inputSerialization: serialization }),
  CustomEndpoint: object({}),
  Eventhouse: choice(
    'dataIngestionMode',
    {
      DirectIngestion: object({}, { tableName: text, connectionName: text, mappingRuleName: text }),
      ProcessedIngestion: object({ databaseName: text, tableName: text }, { inputSerialization: serialization }),
    },
    object(item),
  ),
  Lakehouse: object(
    { ...item, deltaTable: text },
    {
      schema: text,
      minimumRows: { ...integer, minimum: 1 } as Shape,
      maximumDurationInSeconds: { ...integer, minimum: 1 } as Shape,
      inputSerialization: serialization,
    },
  ),
  Notebook: object(item),
};

/** A destination: where events go. */
export const destination: Shape = choice(
  'type',
  Object.fromEntries(Object.entries(properties).map(([type, form]) => [type, object({ properties: form })])),
  object({ name: text, inputNodes: list(nodeReference, 1) }, { id: uuid, inputSchemas, ...runtime }),
);

/** A stream: the default one carries what the sources bring, derived ones what operators make of it. */
export const stream: Shape = choice(
  'type',
  {
    DefaultStream: object({ inputNodes: list(nodeReference) }, { properties: object({}) }),
    DerivedStream: object({ inputNodes: list(nodeReference, 1) }, { properties: object({}, { inputSerialization: serialization }) }),
  },
  object({ name: text }, { id: uuid, ...runtime }),
);
