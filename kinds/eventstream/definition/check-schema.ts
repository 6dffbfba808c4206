import { documentationUrl } from '../../../core/text/documentation-url.js';
import { describeAllowed, isTypo, nearest } from '../../../core/text/nearest.js';
import { isObject } from '../../../core/values/is-object.js';
import { guidPattern } from '../../schema/schema-builders.js';
import type { DocumentSchema } from './document-schema.js';

/** A mistake in a definition, with its path. */
export interface DefinitionMistake {
  /**
   * From the document's root: `['operators', 0, 'properties', 'conditions', 1, 'operatorType']`.
   */
  readonly path: readonly (string | number)[];
  /** What was given and what is allowed; follows the path. */
  readonly message: string;
  /** The suggested correction: another value, or another name of the property. */
  readonly suggestion?: { readonly value: string } | { readonly key: string };
}

/** Options of the check. */
export interface CheckSchemaOptions {
  /**
   * Accepts texts with a Terraform reference (`${…}`) as any value, since they are known later.
   * @default false
   */
  readonly acceptsReferences?: boolean;
}

/** The documentation page that lists the types of nodes and their properties. */
const documentationPage = `${documentationUrl}/reference/eventstreams.md`;

/**
 * The current path; steps are pushed and popped, so that nothing is copied where nothing is wrong.
 */
type Path = (string | number)[];
type Report = (
  path: readonly (string | number)[],
  message: string,
  suggestion?: DefinitionMistake['suggestion'],
) => void;

/** Validates a value by a schema and reports every mistake, not just the first. */
export function checkSchema(
  value: unknown,
  schema: DocumentSchema,
  report: Report,
  options: CheckSchemaOptions = {},
): void {
  checkAt(
    value,
    schema,
    [],
    (path, message, suggestion) => report([...path], message, suggestion),
    options,
  );
}

function checkAt(
  value: unknown,
  schema: DocumentSchema,
  path: Path,
  report: Report,
  options: CheckSchemaOptions,
): void {
  if (options.acceptsReferences === true && typeof value === 'string' && value.includes('${'))
    return;
  if (schema.enum !== undefined) {
    if (!schema.enum.includes(value))
      report(path, ...describeNotAllowed(value, schema.enum.map(String)));
    return;
  }
  if (schema.anyOf !== undefined)
    return checkOneOf(value, schema, schema.anyOf, path, report, options);
  switch (Array.isArray(schema.type) && value === null ? 'null' : firstType(schema)) {
    case 'boolean':
      if (typeof value !== 'boolean')
        report(path, `must be true or false, not ${renderValue(value)}`);
      return;
    case 'string':
      return checkText(value, schema, path, report);
    case 'integer':
    case 'number':
      return checkNumber(value, schema, path, report);
    case 'array':
      return checkList(value, schema, path, report, options);
    case 'object':
      return checkObject(value, schema, path, report, options);
  }
}

function firstType({ type }: DocumentSchema): string | undefined {
  return typeof type === 'string' ? type : type?.[0];
}

function checkChild(
  value: unknown,
  schema: DocumentSchema,
  step: string | number,
  path: Path,
  report: Report,
  options: CheckSchemaOptions,
): void {
  path.push(step);
  checkAt(value, schema, path, report, options);
  path.pop();
}

function checkOneOf(
  value: unknown,
  schema: DocumentSchema,
  members: readonly DocumentSchema[],
  path: Path,
  report: Report,
  options: CheckSchemaOptions,
): void {
  const discriminator = schema['x-discriminator'];
  const [first] = members;
  if (discriminator === undefined) {
    const matching =
      members.find(
        (member) => firstType(member) === (Array.isArray(value) ? 'array' : typeof value),
      ) ?? first;
    return matching === undefined ? undefined : checkAt(value, matching, path, report, options);
  }
  if (!isObject(value)) return report(path, `must be an object, not ${renderValue(value)}`);
  const selected = value[discriminator];
  const { byValue, shared } = membersOf(schema, members, discriminator);
  const member = typeof selected === 'string' ? byValue.get(selected) : undefined;
  if (member !== undefined) return checkObject(value, member, path, report, options);
  if (selected === undefined || selected === null) report([...path, discriminator], 'is missing');
  else if (
    typeof selected !== 'string' ||
    (schema['x-open'] !== true && !(options.acceptsReferences === true && selected.includes('${')))
  )
    report([...path, discriminator], ...describeNotAllowed(selected, [...byValue.keys()]));
  checkObject(value, shared, path, report, options);
}

function checkText(value: unknown, schema: DocumentSchema, path: Path, report: Report): void {
  if (typeof value !== 'string') return report(path, `must be a string, not ${renderValue(value)}`);
  if (value === '' && schema.minLength !== undefined) return report(path, 'must not be empty');
  if (schema.pattern !== undefined && !cachedRegExp(schema.pattern).test(value))
    report(
      path,
      schema.pattern === guidPattern
        ? `must be a UUID, not ${renderValue(value)}`
        : `must match ${schema.pattern}, not ${renderValue(value)}`,
    );
}

function checkNumber(
  value: unknown,
  { type, minimum = -Infinity, maximum = Infinity }: DocumentSchema,
  path: Path,
  report: Report,
): void {
  if (typeof value !== 'number' || !Number.isFinite(value))
    report(path, `must be a number, not ${renderValue(value)}`);
  else if (type === 'integer' && !Number.isInteger(value))
    report(path, `must be an integer, not ${value}`);
  else if (value < minimum || value > maximum)
    report(
      path,
      maximum === Infinity
        ? `must be at least ${minimum}, not ${value}`
        : `must be from ${minimum} to ${maximum}, not ${value}`,
    );
}

function checkList(
  value: unknown,
  { items, minItems = 0 }: DocumentSchema,
  path: Path,
  report: Report,
  options: CheckSchemaOptions,
): void {
  if (!Array.isArray(value)) return report(path, `must be a list, not ${renderValue(value)}`);
  if (value.length < minItems)
    report(path, `must have at least ${minItems} ${minItems === 1 ? 'entry' : 'entries'}`);
  if (items !== undefined)
    for (let index = 0; index < value.length; index++)
      checkChild(value[index], items, index, path, report, options);
}

function checkObject(
  value: unknown,
  schema: DocumentSchema,
  path: Path,
  report: Report,
  options: CheckSchemaOptions,
): void {
  if (!isObject(value)) return report(path, `must be an object, not ${renderValue(value)}`);
  const { required, schemaByName } = propertiesOf(schema);
  for (const name of required)
    if ((value[name] === undefined || value[name] === null) && !isSubstituted(name, value, schema))
      report([...path, name], 'is missing');
  let unknown: string[] | undefined;
  for (const name of Object.keys(value)) {
    const property = schemaByName.get(name);
    if (property === undefined) (unknown ??= []).push(name);
    // Null means "not given": the service itself writes it.
    else if (value[name] !== undefined && value[name] !== null)
      checkChild(value[name], property, name, path, report, options);
  }
  for (const name of unknown ?? []) reportUnknownProperty(value, schema, name, path, report);
}

function isSubstituted(
  name: string,
  value: Readonly<Record<string, unknown>>,
  { 'x-substitutes': substitutes = {} }: DocumentSchema,
): boolean {
  return Object.entries(substitutes).some(
    ([other, names]) => names.includes(name) && typeof value[other] === 'string',
  );
}

function reportUnknownProperty(
  value: Readonly<Record<string, unknown>>,
  schema: DocumentSchema,
  name: string,
  path: Path,
  report: Report,
): void {
  const knownNames = [...propertiesOf(schema).schemaByName.keys()];
  const unsetNames = knownNames.filter((each) => value[each] === undefined);
  // an existing property may be a default that was filled in
  const suggestion = nearest(name, unsetNames) ?? knownNames.find((each) => isTypo(name, each));
  if (suggestion !== undefined)
    report([...path, name], `is not known; did you mean "${suggestion}"?`, { key: suggestion });
  else if (schema.additionalProperties === false)
    report([...path, name], `is not known; allowed are ${knownNames.join(', ')}`);
}

interface Properties {
  readonly required: readonly string[];
  /** The schema of each property. */
  readonly schemaByName: ReadonlyMap<string, DocumentSchema>;
}

const cachedProperties = new WeakMap<DocumentSchema, Properties>();

/** The properties of an object's schema, cached. */
function propertiesOf(schema: DocumentSchema): Properties {
  const cached = cachedProperties.get(schema);
  if (cached !== undefined) return cached;
  const properties = {
    required: schema.required ?? [],
    schemaByName: new Map(Object.entries(schema.properties ?? {})),
  };
  cachedProperties.set(schema, properties);
  return properties;
}

/** The members of a choice (`anyOf`) whose discriminator selects one of them. */
interface Members {
  /** The schema of a member, by each value of the discriminator that selects it. */
  readonly byValue: ReadonlyMap<string, DocumentSchema>;
  /**
   * The schema for an unknown value of the discriminator: the requirements that all members share.
   */
  readonly shared: DocumentSchema;
}

const cachedMembers = new WeakMap<DocumentSchema, Members>();

/** The members of a choice by the values of the discriminator, cached. */
function membersOf(
  schema: DocumentSchema,
  members: readonly DocumentSchema[],
  discriminator: string,
): Members {
  const cached = cachedMembers.get(schema);
  if (cached !== undefined) return cached;
  const [first = {}, ...others] = members;
  const shared = Object.entries(first.properties ?? {}).filter(([name, property]) =>
    others.every((other) => other.properties?.[name] === property),
  );
  const names = new Set(shared.map(([name]) => name));
  const result: Members = {
    byValue: new Map(
      members.flatMap((member) =>
        valuesOf(member.properties?.[discriminator]).map((value) => [value, member] as const),
      ),
    ),
    shared: {
      type: 'object',
      // the discriminator was checked before
      properties: { ...Object.fromEntries(shared), [discriminator]: {} },
      required: (first.required ?? []).filter((name) => names.has(name)),
    },
  };
  cachedMembers.set(schema, result);
  return result;
}

function valuesOf({
  const: value,
  enum: values = [value],
}: DocumentSchema = {}): readonly string[] {
  return values.map(String);
}

const regExpCache = new Map<string, RegExp>();

function cachedRegExp(pattern: string): RegExp {
  const expression = regExpCache.get(pattern) ?? new RegExp(pattern, 'u');
  regExpCache.set(pattern, expression);
  return expression;
}

function describeNotAllowed(
  value: unknown,
  allowed: readonly string[],
): [message: string, suggestion?: { readonly value: string }] {
  const list = describeAllowed(value, allowed, documentationPage);
  const suggestion = typeof value === 'string' ? nearest(value, allowed) : undefined;
  const message = `must be one of ${list}, not ${renderValue(value)}`;
  return suggestion === undefined
    ? [message]
    : [`${message}; did you mean "${suggestion}"?`, { value: suggestion }];
}

const maxRenderedLength = 80;

function renderValue(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  const text = JSON.stringify(value);
  return text.length > maxRenderedLength ? `${text.slice(0, maxRenderedLength - 1)}…` : text;
}
