import type { TypeExpression } from '../values/type.js';
import type { Attribute, Block, Body, Check, Nesting, ResourceSchema, Rules } from './schema.js';

type Extra = Rules & Pick<Attribute, 'sensitive' | 'writeOnly' | 'deprecated' | 'description'>;

/** An attribute that must be written. */
export function required(type: TypeExpression, extra: Extra = {}): Attribute {
  return { type, required: true, ...extra };
}

/** An attribute that may be written. With a default it is computed as well: the plan shows the default. */
export function optional(type: TypeExpression, extra: Extra = {}): Attribute {
  return { type, optional: true, ...(extra.default === undefined ? {} : { computed: true }), ...extra };
}

/** An attribute that the service fills where it is not written. */
export function optionalComputed(type: TypeExpression, extra: Extra = {}): Attribute {
  return { type, optional: true, computed: true, ...extra };
}

/** An attribute that only the service fills. */
export function computed(type: TypeExpression, extra: Extra = {}): Attribute {
  return { type, computed: true, ...extra };
}

/** The attributes inside a nested attribute and whether it is written or filled by the service. */
export function nested(
  mode: 'required' | 'optional' | 'computed' | 'optionalComputed',
  nesting: Nesting,
  attributes: Readonly<Record<string, Attribute>>,
  extra: Extra = {},
): Attribute {
  const flags = { required: mode === 'required', optional: mode.startsWith('optional'), computed: /computed/i.test(mode) };
  return { nested: { nesting, attributes }, ...flags, ...extra };
}

/** A block with what is in it. */
export function block(
  nesting: Block['nesting'],
  attributes: Readonly<Record<string, Attribute>>,
  extra: Omit<Block, 'nesting' | 'attributes'> = {},
): Block {
  return { nesting, attributes, ...extra };
}

/** The `timeouts` block of the classic kit. They are accepted; answers here are immediate. */
export function timeoutsBlock(...operations: ('create' | 'read' | 'update' | 'delete')[]): { readonly timeouts: Block } {
  const names = operations.length > 0 ? operations : (['create', 'read', 'update', 'delete'] as const);
  return { timeouts: block('single', Object.fromEntries(names.map((name) => [name, optional('string')]))) };
}

/** The `timeouts` attribute of the framework. */
export function timeoutsAttribute(...operations: ('create' | 'read' | 'update' | 'delete')[]): { readonly timeouts: Attribute } {
  const { timeouts } = timeoutsBlock(...operations);
  return { timeouts: nested('optional', 'single', timeouts.attributes) };
}

/**
 * The data source of a resource: what the resource has, filled by the service, sets as lists.
 *
 * @param own what the data source has in another way, or besides.
 * @param without what it doesn't have, by path: `template.container.image`.
 */
export function dataOf(
  resource: ResourceSchema,
  own: Readonly<Record<string, Attribute>>,
  without: readonly string[] = [],
): ResourceSchema {
  const { timeouts: _timeouts, ...blocks } = resource.blocks ?? {};
  const types = Object.entries({
    ...mapValues(resource.attributes, typeOfAttribute),
    ...mapValues(blocks, typeOfBlock),
  }).filter(([name]) => !without.includes(name));
  const read = types.map(([name, type]) => {
    const { sensitive } = resource.attributes[name] ?? {};
    return [name, computed(typeToRead(type, name, without), sensitive ? { sensitive } : {})] as const;
  });
  return { version: 0, attributes: { ...Object.fromEntries(read), id: optionalComputed('string'), ...own }, blocks: timeoutsBlock('read') };
}

function typeToRead(type: TypeExpression, path: string, without: readonly string[]): TypeExpression {
  if (typeof type === 'string' || type[0] === 'tuple') return type;
  if (type[0] !== 'object') return [type[0] === 'set' ? 'list' : type[0], typeToRead(type[1], path, without)];
  const inside = Object.entries(type[1]).filter(([name]) => !without.includes(`${path}.${name}`));
  return ['object', Object.fromEntries(inside.map(([name, each]) => [name, typeToRead(each, `${path}.${name}`, without)]))];
}

function mapValues<From, To>(values: Readonly<Record<string, From>>, change: (value: From) => To): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/** Keys of which exactly one says what is looked for, with the check of each; the others are filled. */
export function foundByOne(keys: Readonly<Record<string, Check>>): Readonly<Record<string, Attribute>> {
  const exactlyOneOf = Object.keys(keys);
  return Object.fromEntries(
    Object.entries(keys).map(([name, check]) => [name, optionalComputed('string', { exactlyOneOf, checks: [check] })]),
  );
}

/** Lists of keys of which exactly one says what is looked for, or `return_all`, as the lists of azuread take them. */
export function manyFoundByOne(keys: Readonly<Record<string, Check>>): Readonly<Record<string, Attribute>> {
  const exactlyOneOf = [...Object.keys(keys), 'return_all'];
  const lists = Object.entries(keys).map(([name, check]) => [
    name,
    optionalComputed(['list', 'string'], { exactlyOneOf, checks: [check] }),
  ]);
  return {
    ...(Object.fromEntries(lists) as Record<string, Attribute>),
    id: optionalComputed('string'),
    ignore_missing: optional('bool', { default: false, conflictsWith: ['return_all'] }),
    return_all: optional('bool', { default: false, conflictsWith: ['ignore_missing'], exactlyOneOf }),
  };
}

/** The type of a list of objects. */
export function listOf(attributes: Readonly<Record<string, TypeExpression>>): TypeExpression {
  return ['list', ['object', attributes]];
}

/** The type of everything inside a resource or block. */
export function typeOfBody(body: Body): Exclude<TypeExpression, string> {
  const attributes = Object.entries(body.attributes).map(([name, attribute]) => [name, typeOfAttribute(attribute)] as const);
  const blocks = Object.entries(body.blocks ?? {}).map(([name, each]) => [name, typeOfBlock(each)] as const);
  return ['object', Object.fromEntries([...attributes, ...blocks])];
}

/** The type of a block. */
export function typeOfBlock(block: Block): TypeExpression {
  return nest(block.nesting, typeOfBody(block));
}

/** The type of an attribute, nested ones included. */
export function typeOfAttribute(attribute: Attribute): TypeExpression {
  if (attribute.nested === undefined) return attribute.type ?? 'dynamic';
  return nest(attribute.nested.nesting, typeOfBody(attribute.nested));
}

function nest(nesting: Nesting, type: TypeExpression): TypeExpression {
  return nesting === 'single' ? type : [nesting, type];
}
