import { propertyTypes, requireNoRelationship } from '../kernel/body-properties.js';
import type { TSchema } from '@sinclair/typebox';
import { group } from '../../../kinds/group/group.js';
import { type MembershipRule, parseMembershipRule } from '../../../kinds/membership-rule/index.js';
import { mistakeIn, canonicalValue } from '../../../kinds/schema/find-mistake.js';
import { badRequest, type DirectoryError } from '../http/answers.js';
import type { Directory } from '../kernel/directory.js';
import type { Property } from '../kernel/object-type.js';
import type { Body, StoredObject } from '../store/objects.js';
import { groupType } from './group-type.js';
import { isDynamic, isHiddenVisibility, isUnified, groupKindOf } from './group-kinds.js';

/**
 * Checks the rules that combine several properties of a group, on the group as it will be stored.
 *
 * @throws DirectoryError 400 naming a property.
 */
export function checkGroup(group: Body): void {
  checkGroupKind(group);
  checkRoleAssignable(group);
  if (isHiddenVisibility(group['visibility']) && !isUnified(group))
    throw invalidValue('visibility', 'HiddenMembership is for unified groups only');
  checkMembershipRule(group);
}

function checkGroupKind(group: Body): void {
  if (isUnified(group)) {
    if (group['mailEnabled'] !== true)
      throw invalidValue('mailEnabled', "'Unified' in groupTypes needs mailEnabled true");
    return;
  }
  const kind = groupKindOf(group);
  if (kind === 'security') return;
  if (kind === undefined)
    throw invalidValue('securityEnabled', 'a group must be mail-enabled, security-enabled or both');
  throw invalidValue(
    'mailEnabled',
    'mail-enabled security groups and distribution groups cannot be created by this service',
  );
}

function checkRoleAssignable(group: Body): void {
  if (group['isAssignableToRole'] !== true) return;
  if (group['securityEnabled'] !== true)
    throw invalidValue('isAssignableToRole', 'a role-assignable group must be security-enabled');
  if (isDynamic(group))
    throw invalidValue(
      'isAssignableToRole',
      'a role-assignable group cannot have dynamic membership',
    );
  if (group['visibility'] === 'Public')
    throw invalidValue('visibility', 'a role-assignable group is always Private');
}

/**
 * A dynamic group needs a valid rule for its kind, and a processing state; a static one has
 * neither.
 */
function checkMembershipRule(group: Body): void {
  const rule = group['membershipRule'];
  if (!isDynamic(group)) {
    if (rule !== null && rule !== undefined && rule !== '')
      throw invalidValue(
        'membershipRule',
        'a membership rule needs DynamicMembership in groupTypes',
      );
    return;
  }
  if (typeof rule !== 'string' || rule.trim() === '')
    throw invalidValue('membershipRule', 'a group with DynamicMembership needs a membership rule');
  const parsed = parseRule(rule);
  if (parsed.subject === 'device' && isUnified(group))
    throw invalidValue('membershipRule', 'the rule of a unified group can select users only');
}

/** Parses a membership rule. @throws DirectoryError 400 with the position in the rule. */
export function parseRule(text: string): MembershipRule {
  const { rule, error } = parseMembershipRule(text);
  if (rule) return rule;
  throw badRequest(
    `The membership rule is not valid at position ${error.position}: ${error.message}.`,
    'membershipRule',
  );
}

/** Checks the properties that cannot change. @throws DirectoryError 400 naming the property. */
export function checkImmutableProperties(before: StoredObject, values: Body): void {
  const current = before.body;
  for (const name of ['isAssignableToRole', 'uniqueName'])
    if (
      name in values &&
      (values[name] ?? null) !== (current[name] ?? null) &&
      !(name === 'isAssignableToRole' && !values[name] && !current[name])
    )
      throw badRequest(`Property '${name}' can only be set when the group is created.`, name);
  for (const name of ['resourceBehaviorOptions', 'creationOptions'])
    if (
      name in values &&
      JSON.stringify(values[name] ?? []) !== JSON.stringify(current[name] ?? [])
    )
      throw badRequest(`Property '${name}' can only be set when the group is created.`, name);
  if (
    'visibility' in values &&
    isHiddenVisibility(values['visibility']) !== isHiddenVisibility(current['visibility'])
  )
    throw badRequest(
      'HiddenMembership can only be set when the group is created, and cannot be changed afterwards.',
      'visibility',
    );
  if ('groupTypes' in values && isUnified(values) !== isUnified(current))
    throw badRequest(
      "'Unified' cannot be added to or removed from groupTypes of an existing group.",
      'groupTypes',
    );
  if ('mailEnabled' in values && values['mailEnabled'] !== current['mailEnabled'])
    throw badRequest('mailEnabled of an existing group cannot be changed.', 'mailEnabled');
}

/**
 * Checks each property of a create or update body by its type and by the schema of the group's
 * kind.
 *
 * @throws DirectoryError 400 naming the property.
 */
export function checkProperties(directory: Directory, input: Body): void {
  for (const [name, value] of Object.entries(input)) {
    const property: Property | undefined = Object.hasOwn(groupType.properties, name)
      ? groupType.properties[name]
      : undefined;
    if (group.setByService.has(name) || property?.readOnly) throw readOnlyProperty(name);
    requireNoRelationship(groupType, name);
    if (property) checkValue(directory, name, property, value);
    else if (directory.dialect === 'azure') throw unknownProperty(directory, name);
    else if (!/^[A-Za-z_]\w{0,127}$/.test(name))
      throw badRequest(`'${name}' is not a property name.`, name);
  }
}

function lowerCaseFirst(text: string): string {
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

/** The error for a value that a property cannot have. @param rule what the value must be. */
export function invalidValue(property: string, rule: string): DirectoryError {
  return badRequest(
    `Invalid value specified for property '${property}' of resource 'Group': ${rule}.`,
    property,
  );
}

function checkValue(directory: Directory, name: string, property: Property, value: unknown): void {
  if (value === null) {
    if (property.notNull) throw invalidValue(name, 'it cannot be null');
    return;
  }
  const { matches, expectation } = propertyTypes[property.type];
  if (!matches(value)) throw invalidValue(name, `it must be ${expectation}`);
  const schema = schemaOf(name);
  const mistake = schema && mistakeIn(schema, value, { anyCase: directory.dialect === 'azure' });
  if (mistake) throw invalidValue(name, mistake.message);
  if (name === 'groupTypes' && hasDuplicates(value as readonly string[]))
    throw invalidValue(name, 'it must not contain duplicates');
  if (name === 'writebackConfiguration') checkWriteback(value as Body);
}

function hasDuplicates(words: readonly string[]): boolean {
  return new Set(words.map((word) => word.toLowerCase())).size < words.length;
}

const onPremisesTypes: readonly unknown[] = [
  null,
  'universalDistributionGroup',
  'universalSecurityGroup',
  'universalMailEnabledSecurityGroup',
];

function checkWriteback({ isEnabled = null, onPremisesGroupType = null }: Body): void {
  if (isEnabled !== null && typeof isEnabled !== 'boolean')
    throw invalidValue('writebackConfiguration', 'isEnabled must be true or false');
  const type =
    typeof onPremisesGroupType === 'string'
      ? lowerCaseFirst(onPremisesGroupType)
      : onPremisesGroupType;
  if (!onPremisesTypes.includes(type))
    throw invalidValue(
      'writebackConfiguration',
      `onPremisesGroupType must be one of ${onPremisesTypes.slice(1).join(', ')}`,
    );
}

function schemaOf(name: string): TSchema | undefined {
  const isDescribed =
    Object.hasOwn(groupType.properties, name) && Object.hasOwn(group.properties, name);
  return isDescribed ? group.properties[name as keyof typeof group.properties] : undefined;
}

/**
 * The values of a body in the letter case of the group's schema: the azure dialect accepts any
 * case. HiddenMembership keeps the case of the request.
 */
export function withCanonicalValues(directory: Directory, values: Body): Body {
  if (directory.dialect !== 'azure') return values;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const schema =
        name === 'visibility' && isHiddenVisibility(value) ? undefined : schemaOf(name);
      return [name, schema === undefined ? value : canonicalValue(schema, value)];
    }),
  );
}
