import { groupLimits, readOnlyGroupProperties } from '../../../kinds/group/limits.js';
import { badRequest } from '../http/errors.js';
import type { DirectoryError } from '../http/errors.js';
import type { Property } from '../kernel/object-type.js';
import type { Directory } from '../kernel/directory.js';
import type { Body } from '../store/objects.js';
import { groupType } from './group-type.js';
import { isHiddenVisibility } from './kinds.js';

const readOnly = new Set<string>(readOnlyGroupProperties);
const nickname = new RegExp(groupLimits.mailNickname.pattern);

/** Holds each property of a create or update body against the row of its table. @throws DirectoryError 400 naming the property. */
export function checkProperties(directory: Directory, given: Body): void {
  for (const [name, value] of Object.entries(given)) {
    const property: Property | undefined = Object.hasOwn(groupType.properties, name) ? groupType.properties[name] : undefined;
    if (name === 'id' || readOnly.has(name) || property?.readOnly) throw readOnlyProperty(name);
    if (property) checkType(name, property, value);
    else if (directory.dialect === 'azure') throw unknownProperty(directory, name);
    else if (!/^[A-Za-z_]\w{0,127}$/.test(name)) throw badRequest(`'${name}' is not a property name.`, name);
    if (Object.hasOwn(checks, name)) checks[name]?.(value);
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

function checkType(name: string, property: Property, value: unknown): void {
  if (value === null) {
    if (property.notNull) throw invalidValue(name, 'it cannot be null');
    return;
  }
  const fits = {
    string: typeof value === 'string',
    guid: typeof value === 'string',
    dateTime: typeof value === 'string',
    boolean: typeof value === 'boolean',
    integer: Number.isInteger(value),
    object: typeof value === 'object' && !Array.isArray(value),
    strings: Array.isArray(value) && value.every((each) => typeof each === 'string'),
    objects: Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null && !Array.isArray(each)),
    any: true,
  }[property.type];
  if (!fits) throw invalidValue(name, `it must be ${words[property.type]}`);
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

const onPremisesTypes: readonly unknown[] = [
  null,
  'universalDistributionGroup',
  'universalSecurityGroup',
  'universalMailEnabledSecurityGroup',
];

const checks: Readonly<Record<string, (value: unknown) => void>> = {
  writebackConfiguration(value) {
    const { isEnabled = null, onPremisesGroupType = null } = (value ?? {}) as Record<string, unknown>;
    if (isEnabled !== null && typeof isEnabled !== 'boolean')
      throw invalidValue('writebackConfiguration', 'isEnabled must be true or false');
    const type = typeof onPremisesGroupType === 'string' ? lowerFirst(onPremisesGroupType) : onPremisesGroupType;
    if (!onPremisesTypes.includes(type))
      throw invalidValue('writebackConfiguration', `onPremisesGroupType must be one of ${onPremisesTypes.slice(1).join(', ')}`);
  },
  displayName(value) {
    const { minLength, maxLength } = groupLimits.displayName;
    const length = lengthOf(value);
    if (length < minLength) throw invalidValue('displayName', 'it cannot be empty');
    if (length > maxLength) throw invalidValue('displayName', `it has ${length} characters, at most ${maxLength} are allowed`);
  },
  mailNickname(value) {
    const { minLength, maxLength } = groupLimits.mailNickname;
    const length = lengthOf(value);
    if (length < minLength) throw invalidValue('mailNickname', 'it cannot be empty');
    if (length > maxLength) throw invalidValue('mailNickname', `it has ${length} characters, at most ${maxLength} are allowed`);
    if (!nickname.test(value as string))
      throw invalidValue('mailNickname', 'only ASCII characters without @ ( ) \\ [ ] " ; : < > , and space are allowed');
  },
  groupTypes(value) {
    oneOf('groupTypes', value, groupLimits.groupTypes);
    if (new Set(value as string[]).size !== (value as string[]).length) throw invalidValue('groupTypes', 'an entry stands twice');
  },
  visibility(value) {
    if (value !== null && !isHiddenVisibility(value)) oneOf('visibility', [value], groupLimits.visibility);
  },
  theme(value) {
    if (value !== null) oneOf('theme', [value], groupLimits.theme);
  },
  membershipRule(value) {
    const { maxLength } = groupLimits.membershipRule;
    if (lengthOf(value) > maxLength)
      throw invalidValue('membershipRule', `it has ${lengthOf(value)} characters, at most ${maxLength} are allowed`);
  },
  membershipRuleProcessingState(value) {
    if (value !== null) canonicalState(value as string);
  },
  preferredLanguage(value) {
    if (value !== null && !/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(value as string))
      throw invalidValue('preferredLanguage', 'it must be an ISO 639-1 code such as en or en-US');
  },
  preferredDataLocation(value) {
    if (value !== null && !/^[A-Za-z]{2,8}$/.test(value as string))
      throw invalidValue('preferredDataLocation', 'it must be a region such as EUR');
  },
  uniqueName(value) {
    if (value !== null && (lengthOf(value) === 0 || lengthOf(value) > 128))
      throw invalidValue('uniqueName', 'it must have 1 to 128 characters');
  },
  resourceProvisioningOptions: (value) => oneOf('resourceProvisioningOptions', value, groupLimits.resourceProvisioningOptions),
  resourceBehaviorOptions: (value) => oneOf('resourceBehaviorOptions', value, groupLimits.resourceBehaviorOptions),
  assignedLabels(value) {
    for (const label of (value ?? []) as Record<string, unknown>[])
      if (typeof label['labelId'] !== 'string') throw invalidValue('assignedLabels', 'each entry needs a labelId');
  },
};

/** `On` or `Paused` for any spelling of them. @throws DirectoryError 400. */
export function canonicalState(value: string): string {
  const found = groupLimits.membershipRuleProcessingState.find((state) => state.toLowerCase() === value.toLowerCase());
  if (found === undefined) throw invalidValue('membershipRuleProcessingState', 'allowed are On and Paused');
  return found;
}

function oneOf(property: string, value: unknown, allowed: readonly string[]): void {
  const wrong = ((value ?? []) as unknown[]).find((each) => !allowed.includes(each as string));
  if (wrong !== undefined) throw invalidValue(property, `'${String(wrong)}' is not allowed; allowed are ${allowed.join(', ')}`);
}

/** Characters, not code units: as the schemas count. */
function lengthOf(value: unknown): number {
  return typeof value === 'string' ? [...value].length : 0;
}
