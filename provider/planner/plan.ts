import type { Attribute, Body, Finding, ResourceSchema, Style } from '../schemas/schema.js';
import { typeOfBody } from '../schemas/build.js';
import { equalValues } from '../values/equal.js';
import type { Path } from '../values/path.js';
import type { Value, ValueMap } from '../values/value.js';
import { isList, isMap, isUnknown, unknown } from '../values/value.js';
import { isEmpty } from './empty.js';
import type { Field } from './fields.js';
import { elementAt, elementsOf, fieldsOf } from './fields.js';
import { replacements } from './replacements.js';
import { counterpart, sameMeaning } from './same.js';

/** What Terraform knows when it asks for a plan. */
export interface PlanInput {
  readonly config: ValueMap;
  /** The state before; undefined where the resource is created. */
  readonly prior?: ValueMap;
}

/** The answer: the state to reach, and the paths whose change needs a new resource. */
export interface Plan {
  planned: ValueMap;
  readonly replace: Path[];
  readonly findings: Finding[];
}

/**
 * Plans a creation or an update from the schema alone: what is written stays as it is written, defaults fill in, computed values stay (update)
 * or are unknown (create), spellings that mean the same keep the one that is there.
 */
export function planChange(schema: ResourceSchema, style: Style, input: PlanInput): Plan {
  let planned = planBody(schema, style, input.config, input.prior);
  if (input.prior !== undefined) {
    if (equalValues(planned, input.prior, typeOfBody(schema))) return { planned: input.prior, replace: [], findings: [] };
    planned = markVolatile(schema, input.config, planned);
  }
  return { planned, replace: input.prior === undefined ? [] : replacements(schema, input.prior, planned), findings: [] };
}

/** Marks what any update may change as unknown, where the configuration does not set it. */
export function markVolatile(body: Body, config: ValueMap, planned: ValueMap): ValueMap {
  const entries = fieldsOf(body).map(({ name, attribute, inside }): [string, Value] => {
    const [written, value] = [config[name] ?? null, planned[name] ?? null];
    if (attribute?.volatile === true && written === null) return [name, unknown];
    if (inside === undefined || written === null) return [name, value];
    const mark = (each: Value, from: Value | undefined): Value =>
      isMap(each) && isMap(from) ? markVolatile(inside.body, from, each) : each;
    if (inside.nesting === 'single') return [name, mark(value, written)];
    if (isList(value) && isList(written)) return [name, value.map((each, index) => mark(each, written[index]))];
    if (!isMap(value) || !isMap(written)) return [name, value];
    return [name, Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mark(each, written[key])]))];
  });
  return Object.fromEntries(entries);
}

function planBody(body: Body, style: Style, config: ValueMap, prior: ValueMap | undefined): ValueMap {
  const entries = fieldsOf(body).map((field): [string, Value] => [
    field.name,
    field.attribute === undefined
      ? planInside(field, style, config[field.name] ?? null, prior?.[field.name])
      : planAttribute(field, field.attribute, style, config[field.name] ?? null, prior),
  ]);
  return Object.fromEntries(entries);
}

function planAttribute(field: Field, attribute: Attribute, style: Style, written: Value, level: ValueMap | undefined): Value {
  const prior = level?.[field.name];
  if (attribute.writeOnly === true) return null;
  if (written === null) return planUnwritten(attribute, style, level === undefined ? undefined : (prior ?? null));
  if (isUnknown(written)) return unknown;
  if (field.inside !== undefined) {
    const planned = planInside(field, style, written, prior);
    return prior !== undefined && equalValues(planned, prior, field.type) ? prior : planned;
  }
  const spelled = typeof written === 'string' && attribute.normalize !== undefined ? attribute.normalize(written) : written;
  if (prior === undefined || isUnknown(prior)) return spelled;
  if (prior === null) return style === 'classic' && isEmpty(spelled) ? null : spelled;
  return sameMeaning(attribute, style, spelled, prior) ? prior : spelled;
}

/** An attribute that the configuration leaves out: its default, what is there already, unknown, or null. */
function planUnwritten(attribute: Attribute, style: Style, prior: Value | undefined): Value {
  if (attribute.default !== undefined)
    return prior !== undefined && prior !== null && sameMeaning(attribute, style, attribute.default, prior) ? prior : attribute.default;
  if (attribute.computed === true) return prior === undefined ? unknown : prior;
  return style === 'classic' && prior !== undefined && isEmpty(prior) ? prior : null;
}

/** Blocks and nested attributes: element by element, each with the one that was at its place. */
function planInside(field: Field, style: Style, written: Value, prior: Value | undefined): Value {
  const { inside } = field;
  if (inside === undefined || written === null || isUnknown(written)) return written;
  const { nesting, body } = inside;
  // What the service fills in is known after it was created.
  if (field.filledBlock && isList(written) && written.length === 0) return prior === undefined ? unknown : (prior ?? written);
  const planned = elementsOf(written, nesting, []).map(({ value, key }): [string | number | undefined, Value] => {
    if (!isMap(value)) return [key, value];
    const before = nesting === 'set' ? counterpart(body, style, value, prior) : elementAt(prior, nesting, key);
    return [key, planBody(body, style, value, isMap(before) ? before : undefined)];
  });
  if (nesting === 'single') return planned[0]?.[1] ?? null;
  return nesting === 'map' ? Object.fromEntries(planned.map(([key, value]) => [String(key), value])) : planned.map(([, value]) => value);
}
