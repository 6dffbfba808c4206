import type { TSchema } from '@sinclair/typebox';
import { group } from '../../../kinds/group/group.js';
import { mistakeIn, wordOf } from '../../../kinds/schema/judge.js';
import { badRequest, type DirectoryError } from '../http/errors.js';
import type { Property } from '../kernel/object-type.js';
import type { Directory } from '../kernel/directory.js';
import type { Body } from '../store/objects.js';
import { groupType } from './group-type.js';
import { isHiddenVisibility } from './kinds.js';

/** Holds each property of a create or update body against the row of its table and its description. @throws DirectoryError 400 naming the property. */
export function checkProperties(directory: Directory, given: Body): void {
  for (const [name, value] of Object.entries(given)) {
    const property: Property | undefined = Object.hasOwn(groupType.properties, name) ? groupType.properties[name] : undefined;
    if (group.setByService.has(name) || property?.readOnly) throw readOnlyProperty(name);
    if (property) checkValue(directory, name, property, value);
    else if (directory.dialect === 'azure') throw unknownProperty(directory, name);
    else if (!/^[A-Za-z_]\w{0,127}$/.test(name)) throw badRequest(`'${name}' is not a property name.`, name);
  }
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

function readOnlyProperty(name: string): DirectoryError {
  return badRequest(`Property '${name}' is read-only and cannot be set.`, name);
}

function unknownProperty(directory: Directory, name: string): DirectoryError {
  return badRequest(
    `The property '${name}' does not exist on type '${directory.namespace}.group'. Make sure to only use property names that are defined by the type.`,
    name,
  );
}

/** What is said about a value that a property can't have. */
export function invalidValue(property: string, rule: string): DirectoryError {
  return badRequest(`Invalid value specified for property '${property}' of resource 'Group': ${rule}.`, property);
}

function checkValue(directory: Directory, name: string, property: Property, value: unknown): void {
  if (value === null) {
    if (property.notNull) throw invalidValue(name, 'it cannot be null');
    return;
  }
  if (!fits(property.type, value)) throw invalidValue(name, `it must be ${words[property.type]}`);
  const described = descriptionOf(name);
  const mistake = described && mistakeIn(described, value, { anyCase: directory.dialect === 'azure' });
  if (mistake) throw invalidValue(name, mistake.words);
  if (name === 'groupTypes' && new Set(value as string[]).size !== (value as string[]).length)
    throw invalidValue(name, 'it has an entry twice');
  if (name === 'writebackConfiguration') checkWriteback(value as Body);
}

const onPremisesTypes: readonly unknown[] = [
  null,
  'universalDistributionGroup',
  'universalSecurityGroup',
  'universalMailEnabledSecurityGroup',
];

function checkWriteback({ isEnabled = null, onPremisesGroupType = null }: Body): void {
  if (isEnabled !== null && typeof isEnabled !== 'boolean') throw invalidValue('writebackConfiguration', 'isEnabled must be true or false');
  const type = typeof onPremisesGroupType === 'string' ? lowerFirst(onPremisesGroupType) : onPremisesGroupType;
  if (!onPremisesTypes.includes(type))
    throw invalidValue('writebackConfiguration', `onPremisesGroupType must be one of ${onPremisesTypes.slice(1).join(', ')}`);
}

function descriptionOf(name: string): TSchema | undefined {
  const isDescribed = Object.hasOwn(groupType.properties, name) && Object.hasOwn(group.properties, name);
  return isDescribed ? group.properties[name as keyof typeof group.properties] : undefined;
}

/** The words of a body in the letter case of the description, of which the azure dialect takes any. What hides the membership keeps its spelling. */
export function canonicalWords(directory: Directory, given: Body): Body {
  if (directory.dialect !== 'azure') return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const described = name === 'visibility' && isHiddenVisibility(value) ? undefined : descriptionOf(name);
      return [name, described !== undefined && typeof value === 'string' ? wordOf(described, value) : value];
    }),
  );
}

function fits(type: Property['type'], value: unknown): boolean {
  switch (type) {
    case 'string':
    case 'guid':
    case 'dateTime':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'integer':
      return Number.isInteger(value);
    case 'object':
      return typeof value === 'object' && !Array.isArray(value);
    case 'strings':
      return Array.isArray(value) && value.every((each) => typeof each === 'string');
    case 'objects':
      return Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null && !Array.isArray(each));
    case 'any':
      return true;
  }
}

const words: Readonly<Record<Property['type'], string>> = {
  string: 'a string',
  guid: 'a GUID',
  dateTime: 'a date and time',
  boolean: 'true or false',
  integer: 'a whole number',
  object: 'an object',
  strings: 'a list of strings',
  objects: 'a list of objects',
  any: 'anything',
};
