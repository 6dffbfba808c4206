import type { TypeExpression } from '../values/value.js';
import type { Attribute, Block, BlockSchema, Nesting, AttributeBehavior } from './schema.js';

type AttributeOptions = AttributeBehavior &
  Pick<Attribute, 'sensitive' | 'writeOnly' | 'deprecated' | 'description'>;

/** A required attribute. */
export function required(type: TypeExpression, options: AttributeOptions = {}): Attribute {
  return { type, required: true, ...options };
}

/** An optional attribute. With a default it is also computed: the plan shows the default. */
export function optional(type: TypeExpression, options: AttributeOptions = {}): Attribute {
  return {
    type,
    optional: true,
    ...(options.default !== undefined && { computed: true }),
    ...options,
  };
}

/** An optional attribute that the service fills if unset. */
export function optionalComputed(type: TypeExpression, options: AttributeOptions = {}): Attribute {
  return { type, optional: true, computed: true, ...options };
}

/** An attribute that only the service sets. */
export function computed(type: TypeExpression, options: AttributeOptions = {}): Attribute {
  return { type, computed: true, ...options };
}

/** The attributes in a nested attribute, and who sets it. */
export function nested(
  mode: 'required' | 'optional' | 'computed' | 'optionalComputed',
  nesting: Nesting,
  attributes: Readonly<Record<string, Attribute>>,
  options: AttributeOptions = {},
): Attribute {
  const flags = {
    required: mode === 'required',
    optional: mode.startsWith('optional'),
    computed: /computed/i.test(mode),
  };
  return { nested: { nesting, attributes }, ...flags, ...options };
}

/** A block with its content. */
export function block(
  nesting: Block['nesting'],
  attributes: Readonly<Record<string, Attribute>>,
  options: Omit<Block, 'nesting' | 'attributes'> = {},
): Block {
  return { nesting, attributes, ...options };
}

/**
 * The `timeouts` of these operations, which are accepted and have no effect: answers here are
 * immediate.
 */
export function timeoutsBlock(
  operations: readonly string[] = ['create', 'read', 'update', 'delete'],
): Block & { readonly nesting: 'single' } {
  return {
    nesting: 'single',
    attributes: Object.fromEntries(operations.map((name) => [name, optional('string')])),
  };
}

/** The type of a resource's or block's content. */
export function typeOfBody(body: BlockSchema): Exclude<TypeExpression, string> {
  const attributes = Object.entries(body.attributes).map(
    ([name, attribute]) => [name, typeOfAttribute(attribute)] as const,
  );
  const blocks = Object.entries(body.blocks ?? {}).map(
    ([name, each]) => [name, typeOfBlock(each)] as const,
  );
  return ['object', Object.fromEntries([...attributes, ...blocks])];
}

/** The type of a block. */
export function typeOfBlock(block: Block): TypeExpression {
  return nestType(block.nesting, typeOfBody(block));
}

/** The type of an attribute, including nested ones. */
export function typeOfAttribute(attribute: Attribute): TypeExpression {
  if (attribute.nested === undefined) return attribute.type ?? 'dynamic';
  return nestType(attribute.nested.nesting, typeOfBody(attribute.nested));
}

function nestType(nesting: Nesting, type: TypeExpression): TypeExpression {
  return nesting === 'single' ? type : [nesting, type];
}
