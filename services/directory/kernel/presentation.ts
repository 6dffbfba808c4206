import { badRequest } from '../http/answers.js';
import type { Body } from '../store/objects.js';
import type { Directory } from './directory.js';
import type { ObjectType, Property } from './object-type.js';

/** An object to present: live or deleted. */
export interface ObjectView {
  readonly id: string;
  readonly type: string;
  readonly body: Body;
}

/** The presented part of an object. */
export interface Presentation {
  /** `$select`; undefined: the default properties. */
  readonly select?: readonly string[] | undefined;
  /** Whether `@odata.type` comes first, as in mixed lists. */
  readonly typed?: boolean;
  /** Returns only type and id and null for the rest: the caller may not read such objects. */
  readonly masked?: boolean;
  /** Set for deleted objects. */
  readonly deletedAt?: string | undefined;
}

interface Plan {
  readonly defaults: ReadonlySet<string>;
  /** The default properties of an empty object, with its id. */
  readonly empty: Readonly<Record<string, unknown>>;
  /** The same with `@odata.type` first. */
  readonly emptyTyped: Readonly<Record<string, unknown>>;
  readonly absent: ReadonlyMap<string, unknown>;
  readonly known: ReadonlySet<string>;
}

const plans = new WeakMap<ObjectType, Plan>();

/** The JSON of an object: the default properties with explicit nulls, or the selected ones. */
export function present(
  directory: Directory,
  object: ObjectView,
  presentation: Presentation = {},
): Record<string, unknown> {
  const type = directory.types.get(object.type);
  const plan = planOf(type);
  const { select } = presentation;
  if (select && !select.includes('*')) {
    const view: Record<string, unknown> = presentation.typed
      ? { '@odata.type': odataType(directory, type.name) }
      : {};
    const values = {
      ...object.body,
      ...type.computed?.(object.body, object.id, directory.clock.now()),
      ...deletion(presentation),
    };
    for (const name of select) {
      if (name === 'id') view['id'] = object.id;
      else if (plan.absent.has(name) || (name in values && !plan.known.has(name)))
        view[name] = presentation.masked ? null : (valueOf(values, name) ?? absentOf(plan, name));
    }
    return view;
  }
  // a bare copy of the default properties, so that nearly all objects of an answer have the same
  // shape
  const view: Record<string, unknown> = presentation.typed
    ? { ...plan.emptyTyped }
    : { ...plan.empty };
  if (presentation.typed) view['@odata.type'] = odataType(directory, type.name);
  view['id'] = object.id;
  const { body } = object;
  if (presentation.masked) {
    for (const name of plan.defaults) view[name] = null;
    return view;
  }
  if (presentation.deletedAt !== undefined)
    view['deletedDateTime'] = wholeSeconds(new Date(presentation.deletedAt));
  for (const name in body) {
    const value = body[name];
    if (plan.defaults.has(name)) view[name] = value ?? plan.empty[name];
    else if (type.open && !plan.known.has(name)) view[name] = value;
  }
  return view;
}

/** `#svc.directory.user` or `#microsoft.graph.user`. */
export function odataType(directory: Directory, name: string): string {
  return `#${directory.namespace}.${name}`;
}

/**
 * Checks a `$select` against a type.
 *
 * @param single whether one object is read: lists do not return some properties.
 * @throws DirectoryError 400 for a property that the type does not have, or not in lists.
 */
export function checkSelect(
  directory: Directory,
  type: ObjectType,
  select: readonly string[] | undefined,
  single: boolean,
): void {
  for (const name of select ?? []) {
    if (name === 'id' || name === '*') continue;
    const property: Property | undefined = Object.hasOwn(type.properties, name)
      ? type.properties[name]
      : undefined;
    if (property?.returned === 'single' && !single)
      throw badRequest(
        `The property '${name}' can only be selected when a single object is read.`,
        name,
      );
    if (property || (type.navigations && Object.hasOwn(type.navigations, name))) continue;
    if (type.open && directory.dialect === 'neutral') continue;
    throw badRequest(
      `Could not find a property named '${name}' on type '${directory.namespace}.${type.name}'.`,
      name,
    );
  }
}

function planOf(type: ObjectType): Plan {
  let plan = plans.get(type);
  if (!plan) {
    const entries = Object.entries(type.properties).filter(
      ([, property]) => property.returned !== 'never',
    );
    const absentValue = (property: Property): unknown =>
      'absent' in property ? property.absent : /s$/.test(property.type) ? [] : null;
    const defaults = entries.filter(([, property]) => property.returned === 'default');
    const empty = Object.fromEntries([
      ['id', ''],
      ...defaults.map(([name, property]) => [name, absentValue(property)]),
    ]) as Plan['empty'];
    plan = {
      defaults: new Set(defaults.map(([name]) => name)),
      empty,
      emptyTyped: { '@odata.type': '', ...empty },
      known: new Set(Object.keys(type.properties)),
      absent: new Map(entries.map(([name, property]) => [name, absentValue(property)])),
    };
    plans.set(type, plan);
  }
  return plan;
}

function absentOf(plan: Plan, name: string): unknown {
  return plan.absent.get(name) ?? null;
}

function deletion(presentation: Presentation): Body {
  return presentation.deletedAt === undefined
    ? {}
    : { deletedDateTime: wholeSeconds(new Date(presentation.deletedAt)) };
}

function valueOf(values: Readonly<Record<string, unknown>> | undefined, name: string): unknown {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}

/** An instant in answers: UTC, whole seconds, as expected by clients that compare dates as text. */
export function wholeSeconds(instant: Date): string {
  return instant.toISOString().replace(/\.\d+Z$/, 'Z');
}
