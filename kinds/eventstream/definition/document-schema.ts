import { guidPattern } from '../../schema/schema-builders.js';
import { type NodeListName, nodeLists, type NodeType, nodeTypes } from '../nodes/index.js';
import { compatibilityLevel, inputSchemas } from '../nodes/shared-schemas.js';

/**
 * A schema of a part of a document: the keywords of JSON Schema that the descriptions of nodes use.
 */
export interface DocumentSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly items?: DocumentSchema;
  readonly properties?: Readonly<Record<string, DocumentSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly anyOf?: readonly DocumentSchema[];
  /** The property whose value selects one of `anyOf`. */
  readonly 'x-discriminator'?: string;
  /** Accepts values of the discriminator that `anyOf` lacks, with the properties that all share. */
  readonly 'x-open'?: boolean;
  /** The name of a schema that many nodes use. */
  readonly 'x-name'?: string;
  /** Properties that may replace required ones. */
  readonly 'x-substitutes'?: Readonly<Record<string, readonly string[]>>;
}

const name: DocumentSchema = {
  type: 'string',
  minLength: 1,
  description: 'The name of the node, unique in the eventstream.',
};
const inputNode: DocumentSchema = { type: 'object', properties: { name }, required: ['name'] };
const anyInputs: DocumentSchema = { type: 'array', items: inputNode };
const someInputs: DocumentSchema = { ...anyInputs, minItems: 1 };

const guidSchema: DocumentSchema = { type: 'string', pattern: guidPattern };
const textSchema: DocumentSchema = { type: 'string', minLength: 1 };
const anyValue: DocumentSchema = {};

/**
 * The properties of every node besides its type and its `properties`; `status` and `error` come
 * from the running service.
 */
function commonProperties(list: NodeListName): Readonly<Record<string, DocumentSchema>> {
  const id: DocumentSchema = list === 'operators' ? textSchema : guidSchema;
  return {
    name,
    id,
    ...(list !== 'streams' && { inputSchemas: inputSchemas() as DocumentSchema }),
    status: anyValue,
    error: anyValue,
  };
}

function nodeSchema(list: NodeListName, typeName: string, type: NodeType): DocumentSchema {
  const isSource = list === 'sources';
  return {
    type: 'object',
    description: type.meaning,
    properties: {
      type: { const: typeName },
      ...commonProperties(list),
      ...(!isSource && { inputNodes: type.inputs.min === undefined ? anyInputs : someInputs }),
      properties: type.properties as DocumentSchema,
    },
    required: [
      'name',
      ...(isSource ? [] : ['inputNodes']),
      ...(type.canOmitProperties === true ? [] : ['properties']),
    ],
  };
}

function nodeListSchema(list: NodeListName): DocumentSchema {
  const members = Object.entries(nodeTypes[list]).map(([typeName, type]) =>
    nodeSchema(list, typeName, type),
  );
  return {
    type: 'array',
    items: { type: 'object', 'x-discriminator': 'type', 'x-open': true, anyOf: members },
  };
}

let cachedSchema: DocumentSchema | undefined;

/** The schema of `eventstream.json`, from the descriptions of the nodes. */
export function documentSchema(): DocumentSchema {
  return (cachedSchema ??= {
    type: 'object',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(nodeLists.map((list) => [list, nodeListSchema(list)])),
      compatibilityLevel: compatibilityLevel as DocumentSchema,
    },
  });
}
