import type { MembershipRule, RuleExpression, RuleOperand, RuleSubject } from '../ast.js';
import { compileComparison } from './compare-value.js';

/** The context of an evaluation besides the object. */
export interface RuleContext {
  /** Milliseconds since 1970, for `system.now`. */
  readonly now: number;
  /** The object's manager, for `Direct Reports for`. */
  readonly managerId?: string | undefined;
  /** The groups of which the object is a direct member, for `memberOf`. */
  readonly groupIds?: ReadonlySet<string>;
}

/** A compiled rule, fast enough for millions of evaluations. */
export interface CompiledRule {
  /** The rule as it was parsed, with its text. */
  readonly parsed: MembershipRule;
  readonly subject: RuleSubject;
  /** The context that the rule needs; undefined for most rules. */
  readonly neededContext: 'manager' | 'groups' | undefined;
  /** Whether the result can change with time alone. */
  readonly dependsOnTime: boolean;
  matches(object: EvaluatedObject, context: RuleContext): boolean;
}

/** Compiles a rule to closures. */
export function compileMembershipRule(rule: MembershipRule): CompiledRule {
  const common = { parsed: rule, subject: rule.subject };
  switch (rule.kind) {
    case 'directReports':
      return {
        ...common,
        neededContext: 'manager',
        dependsOnTime: false,
        matches: (_object, { managerId }) => managerId === rule.managerId,
      };
    case 'memberOf':
      return {
        ...common,
        neededContext: 'groups',
        dependsOnTime: false,
        matches: (_object, { groupIds }) =>
          groupIds !== undefined && rule.groupIds.some((id) => groupIds.has(id)),
      };
    case 'expression': {
      const test = compileExpression(rule.expression);
      return {
        ...common,
        neededContext: undefined,
        dependsOnTime: usesCurrentTime(rule.expression),
        matches: (object, { now }) => test(object, now, undefined),
      };
    }
  }
}

/** Tests an object; within `-any` and `-all` also the current entry. */
export type TestObject = (object: EvaluatedObject, now: number, entry: unknown) => boolean;

/** Compiles one condition. */
export function compileExpression(node: RuleExpression): TestObject {
  switch (node.kind) {
    case 'and': {
      const operands = node.operands.map(compileExpression);
      return (object, now, entry) => {
        for (const operand of operands) if (!operand(object, now, entry)) return false;
        return true;
      };
    }
    case 'or': {
      const operands = node.operands.map(compileExpression);
      return (object, now, entry) => {
        for (const operand of operands) if (operand(object, now, entry)) return true;
        return false;
      };
    }
    case 'not': {
      const operand = compileExpression(node.operand);
      return (object, now, entry) => !operand(object, now, entry);
    }
    case 'compare': {
      const read = compileOperand(node.left);
      const type = node.left.subject === 'entry' ? 'string' : node.left.type;
      const test = compileComparison(node.operator, node.value, type);
      return (object, now, entry) => test(read(object, entry), now);
    }
    case 'any':
    case 'all': {
      const read = propertyGetter(node.collection.subject, node.collection.name);
      const test = compileExpression(node.predicate);
      const isAny = node.kind === 'any';
      return (object, now) => {
        const values = read(object);
        if (!Array.isArray(values)) return !isAny;
        for (const value of values) if (test(object, now, value) === isAny) return isAny;
        return !isAny;
      };
    }
  }
}

/** Reads the left side of a comparison. */
export function compileOperand(
  operand: RuleOperand,
): (object: EvaluatedObject, entry: unknown) => unknown {
  if (operand.subject !== 'entry') return propertyGetter(operand.subject, operand.name);
  const { name } = operand;
  if (name === undefined) return (_object, entry) => entry;
  return (_object, entry) =>
    (entry as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}

/** Whether a condition compares with `system.now`. */
export function usesCurrentTime(node: RuleExpression): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.operands.some(usesCurrentTime);
    case 'not':
      return usesCurrentTime(node.operand);
    case 'compare':
      return node.value.type === 'now';
    default:
      return usesCurrentTime(node.predicate);
  }
}

/** An object in the form that rules read. */
export interface EvaluatedObject {
  readonly id: string;
  /** The properties by their names in the API. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Reads one property of an object. */
export type ReadProperty = (object: EvaluatedObject) => unknown;

/** The API's names of properties that rules call by other names. */
const apiNames: Readonly<Record<RuleSubject, Readonly<Record<string, string>>>> = {
  user: {
    mailNickName: 'mailNickname',
    mobile: 'mobilePhone',
    facsimileTelephoneNumber: 'faxNumber',
    physicalDeliveryOfficeName: 'officeLocation',
    dirSyncEnabled: 'onPremisesSyncEnabled',
  },
  device: {
    deviceManufacturer: 'manufacturer',
    deviceModel: 'model',
    deviceOSType: 'operatingSystem',
    deviceOSVersion: 'operatingSystemVersion',
    deviceTrustType: 'trustType',
    devicePhysicalIds: 'physicalIds',
    deviceManagementAppId: 'managementAppId',
  },
};

/** The API's lists of which a property of rules is the first value. */
const firstInList: Readonly<Record<string, string>> = {
  telephoneNumber: 'businessPhones',
  sipProxyAddress: 'imAddresses',
};

const extensionAttributesProperty = {
  user: 'onPremisesExtensionAttributes',
  device: 'extensionAttributes',
} as const;

/** The API's property for the name in a rule. */
export function apiPropertyOf(subject: RuleSubject, name: string): string {
  if (/^extensionAttribute\d+$/.test(name)) return extensionAttributesProperty[subject];
  return (subject === 'user' ? firstInList[name] : undefined) ?? apiNames[subject][name] ?? name;
}

/** Compiles a rule's property to a read of the object's value. */
export function propertyGetter(subject: RuleSubject, name: string): ReadProperty {
  if (name === 'objectId') return (object) => object.id;
  const list = subject === 'user' ? firstInList[name] : undefined;
  if (list !== undefined)
    return ({ body }) => (Array.isArray(body[list]) ? (body[list] as unknown[])[0] : undefined);
  if (/^extensionAttribute\d+$/.test(name)) {
    const property = extensionAttributesProperty[subject];
    return ({ body }) =>
      (body[property] as Readonly<Record<string, unknown>> | null | undefined)?.[name];
  }
  const property = apiPropertyOf(subject, name);
  return ({ body }) => body[property];
}
