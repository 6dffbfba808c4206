import { nearest } from '../../core/text/nearest.js';
import type { RuleOperator, RulePropertyType, RuleSubject } from './ast.js';

const extensionAttributes = Array.from(
  { length: 15 },
  (_, index) => `extensionAttribute${index + 1}`,
);

/**
 * The properties available in rules, by object and type of value (the directory's rule language),
 * without `memberOf`, which has a parser of its own.
 */
const properties: Readonly<
  Record<RuleSubject, Readonly<Record<RulePropertyType, readonly string[]>>>
> = {
  user: {
    boolean: ['accountEnabled', 'dirSyncEnabled'],
    date: ['employeeHireDate'],
    string: [
      'city',
      'country',
      'companyName',
      'department',
      'displayName',
      'employeeId',
      'facsimileTelephoneNumber',
      'givenName',
      'jobTitle',
      'mail',
      'mailNickName',
      'mobile',
      'objectId',
      'onPremisesDistinguishedName',
      'onPremisesSecurityIdentifier',
      'passwordPolicies',
      'physicalDeliveryOfficeName',
      'postalCode',
      'preferredLanguage',
      'sipProxyAddress',
      'state',
      'streetAddress',
      'surname',
      'telephoneNumber',
      'usageLocation',
      'userPrincipalName',
      'userType',
      ...extensionAttributes,
    ],
    strings: ['otherMails', 'proxyAddresses'],
    plans: ['assignedPlans'],
  },
  device: {
    boolean: ['accountEnabled', 'isRooted'],
    date: [],
    string: [
      'deviceCategory',
      'deviceId',
      'deviceManagementAppId',
      'deviceManufacturer',
      'deviceModel',
      'displayName',
      'deviceOSType',
      'deviceOSVersion',
      'deviceOwnership',
      'deviceTrustType',
      'enrollmentProfileName',
      'managementType',
      'objectId',
      'profileType',
      ...extensionAttributes,
    ],
    strings: ['devicePhysicalIds', 'systemLabels'],
    plans: [],
  },
};

/** Properties with their names as the directory spells them, by `subject.name` in lower case. */
const propertyByName = new Map(
  (['user', 'device'] as const).flatMap((subject) =>
    Object.entries(properties[subject]).flatMap(([type, names]) =>
      names.map(
        (name) =>
          [`${subject}.${name}`.toLowerCase(), { name, type: type as RulePropertyType }] as const,
      ),
    ),
  ),
);

/** A directory extension of an application: `extension_<appId without dashes>_<name>`. */
const directoryExtension = /^extension_[0-9a-f]{32}_\w{1,100}$/i;

/** The properties of an object that are available in rules, without extensions of applications. */
export function rulePropertyNames(subject: RuleSubject): readonly string[] {
  return Object.values(properties[subject]).flat();
}

/** Finds a property in any letter case; undefined for one that rules cannot read. */
export function findRuleProperty(
  subject: RuleSubject,
  name: string,
): { readonly name: string; readonly type: RulePropertyType } | undefined {
  return (
    propertyByName.get(`${subject}.${name}`.toLowerCase()) ??
    (directoryExtension.test(name) ? { name, type: 'string' } : undefined)
  );
}

/** The suggestion for an unknown property. */
export function nearestRuleProperty(subject: RuleSubject, name: string): string | undefined {
  return nearest(name, rulePropertyNames(subject));
}

const equalityOperators: readonly RuleOperator[] = ['eq', 'ne'];
const textOperators: readonly RuleOperator[] = [
  ...equalityOperators,
  'startsWith',
  'notStartsWith',
  'endsWith',
  'notEndsWith',
  'contains',
  'notContains',
  'match',
  'notMatch',
  'in',
  'notIn',
];

/**
 * The comparison operators of a type of value. Collections use `-any` and `-all` instead, or
 * {@link entryOperators}.
 */
export const operatorsByType: Readonly<Record<RulePropertyType, readonly RuleOperator[]>> = {
  string: textOperators,
  boolean: equalityOperators,
  date: [...equalityOperators, 'le', 'ge'],
  strings: [],
  plans: [],
};

/** The positive operator that each negative operator negates. */
export const positiveByNegative = {
  ne: 'eq',
  notIn: 'in',
  notStartsWith: 'startsWith',
  notEndsWith: 'endsWith',
  notContains: 'contains',
  notMatch: 'match',
} as const;

/** The operators that compare the entries of a collection of texts also without `-any`. */
export const entryOperators: readonly RuleOperator[] = [
  'startsWith',
  'notStartsWith',
  'endsWith',
  'notEndsWith',
  'contains',
  'notContains',
];

/** Every comparison operator as the documentation spells it, by lower case. */
export const ruleOperators: ReadonlyMap<string, RuleOperator> = new Map(
  [...textOperators, 'le' as const, 'ge' as const].map((operator) => [
    operator.toLowerCase(),
    operator,
  ]),
);
