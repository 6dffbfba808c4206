import type { Attribute, Body, Nesting, ResourceSchema } from '../schemas/schema.js';
import { encodeType } from '../values/type.js';
import type { AttributeMessage, BlockMessage, SchemaMessage } from './messages.js';

/** A schema as Terraform reads it. Rules that the wire can't carry stay with the planner. */
export function schemaMessage(schema: Body & Partial<Pick<ResourceSchema, 'version'>>): SchemaMessage {
  return { version: schema.version ?? 0, block: blockMessage(schema) };
}

function blockMessage(body: Body): BlockMessage {
  return {
    attributes: Object.entries(body.attributes).map(([name, attribute]) => attributeMessage(name, attribute)),
    blockTypes: Object.entries(body.blocks ?? {}).map(([typeName, block]) => ({
      typeName,
      block: blockMessage(block),
      nesting: nestingName(block.nesting),
      minItems: block.min ?? 0,
      maxItems: block.max ?? 0,
    })),
    description: body.description ?? '',
  };
}

function attributeMessage(name: string, attribute: Attribute): AttributeMessage {
  const { nested } = attribute;
  return {
    name,
    ...(nested === undefined
      ? { type: encodeType(attribute.type ?? 'dynamic') }
      : { nestedType: { nesting: nestingName(nested.nesting), attributes: blockMessage(nested).attributes } }),
    description: attribute.description ?? '',
    required: attribute.required === true,
    optional: attribute.optional === true,
    computed: attribute.computed === true,
    sensitive: attribute.sensitive === true,
    deprecated: attribute.deprecated !== undefined,
    writeOnly: attribute.writeOnly === true,
  };
}

function nestingName(nesting: Nesting): string {
  return nesting.toUpperCase();
}
