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

/** How much of an object to present, and in which form. */
export interface Presentation {
  /** `$select`; undefined: the default properties. */
  readonly select?: readonly string[] | undefined;
  /** Adds `@odata.type` as the first property, as in mixed lists. */
  readonly withODataType?: boolean;
  /** Returns only type and id and null for the rest: the caller may not read such objects. */
  readonly masked?: boolean;
  /** Set for deleted objects. */
  readonly deletedAt?: string | undefined;
}

/** What all presented objects of a type have in common. */
interface ViewTemplate {
  /** The names of the properties that are returned by default. */
  readonly defaultNames: ReadonlySet<string>;
  /** The default properties of an empty object, with its id. */
  readonly empty: Readonly<Record<string, unknown>>;
  /** The same with `@odata.type` first. */
  readonly emptyTyped: Readonly<Record<string, unknown>>;
  /** The values of returned properties when nothing is stored, by name. */
  readonly valuesWhenAbsent: ReadonlyMap<string, unknown>;
  /** The names of all properties that the type declares. */
  readonly declaredNames: ReadonlySet<string>;
}

const viewTemplates = new WeakMap<ObjectType, ViewTemplate>();

/** The JSON of an object: the default properties with explicit nulls, or the selected ones. */
export function present(
  directory: Directory,
  object: ObjectView,
  presentation: Presentation = {},
): Record<string, unknown> {
  const type = directory.types.get(object.type);
  const template = viewTemplateOf(type);
  const { select } = presentation;
  if (select && !select.includes('*')) {
    const view: Record<string, unknown> = presentation.withODataType
      ? { '@odata.type': odataType(directory, type.name) }
      : {};
    const values = {
      ...object.body,
      ...type.computed?.(object.body, object.id, directory.clock.now()),
      ...deletedProperties(presentation),
    };
    for (const name of select) {
      if (name === 'id') view['id'] = object.id;
      else if (
        template.valuesWhenAbsent.has(name) ||
        (Object.hasOwn(values, name) && !template.declaredNames.has(name))
      )
        view[name] = presentation.masked
          ? null
          : (ownValue(values, name) ?? valueWhenAbsent(template, name));
    }
    return view;
  }
  // A copy of all default properties, so that JavaScript engines see objects of one shape.
  const view: Record<string, unknown> = presentation.withODataType
    ? { ...template.emptyTyped }
    : { ...template.empty };
  if (presentation.withODataType) view['@odata.type'] = odataType(directory, type.name);
  view['id'] = object.id;
  const { body } = object;
  if (presentation.masked) {
    for (const name of template.defaultNames) view[name] = null;
    return view;
  }
  if (presentation.deletedAt !== undefined)
    view['deletedDateTime'] = formatInstant(new Date(presentation.deletedAt));
  for (const name in body) {
    const value = body[name];
    if (template.defaultNames.has(name)) view[name] = value ?? template.empty[name];
    else if (type.isOpenType && !template.declaredNames.has(name)) view[name] = value;
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
 * @param readAs whether one object is read, or a list, which does not return some properties.
 * @throws DirectoryError 400 for a property that the type does not have, or not in lists.
 */
export function checkSelect(
  directory: Directory,
  type: ObjectType,
  select: readonly string[] | undefined,
  readAs: 'object' | 'list',
): void {
  for (const name of select ?? []) {
    if (name === 'id' || name === '*') continue;
    const property: Property | undefined = Object.hasOwn(type.properties, name)
      ? type.properties[name]
      : undefined;
    if (property?.returned === 'single' && readAs === 'list')
      throw badRequest(
        `The property '${name}' can only be selected when a single object is read.`,
        name,
      );
    if (property || (type.navigations && Object.hasOwn(type.navigations, name))) continue;
    if (type.isOpenType && directory.dialect === 'neutral') continue;
    throw badRequest(
      `Could not find a property named '${name}' on type '${directory.namespace}.${type.name}'.`,
      name,
    );
  }
}

function viewTemplateOf(type: ObjectType): ViewTemplate {
  let template = viewTemplates.get(type);
  if (!template) {
    const entries = Object.entries(type.properties).filter(
      ([, property]) => property.returned !== 'never',
    );
    const absentValue = (property: Property): unknown =>
      'valueWhenAbsent' in property ? property.valueWhenAbsent : emptyValueOf(property.type);
    const defaults = entries.filter(([, property]) => property.returned === 'default');
    const empty = Object.fromEntries([
      ['id', ''],
      ...defaults.map(([name, property]) => [name, absentValue(property)]),
    ]) as ViewTemplate['empty'];
    template = {
      defaultNames: new Set(defaults.map(([name]) => name)),
      empty,
      emptyTyped: { '@odata.type': '', ...empty },
      declaredNames: new Set(Object.keys(type.properties)),
      valuesWhenAbsent: new Map(entries.map(([name, property]) => [name, absentValue(property)])),
    };
    viewTemplates.set(type, template);
  }
  return template;
}

/** An empty list for collections, null for everything else. */
function emptyValueOf(type: Property['type']): [] | null {
  return type === 'strings' || type === 'objects' ? [] : null;
}

function valueWhenAbsent(template: ViewTemplate, name: string): unknown {
  return template.valuesWhenAbsent.get(name) ?? null;
}

function deletedProperties(presentation: Presentation): Body {
  return presentation.deletedAt === undefined
    ? {}
    : { deletedDateTime: formatInstant(new Date(presentation.deletedAt)) };
}

function ownValue(values: Readonly<Record<string, unknown>> | undefined, name: string): unknown {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}

/** An instant as text in UTC and whole seconds, which clients that compare dates as text expect. */
export function formatInstant(instant: Date): string {
  return instant.toISOString().replace(/\.\d+Z$/, 'Z');
}
