/** The type of object that a rule is about; a rule is about one type. */
export type RuleSubject = 'user' | 'device';

/** The type of a property's value; `plans` are the service plans of `assignedPlans`. */
export type RulePropertyType = 'string' | 'boolean' | 'date' | 'strings' | 'plans';

/** Comparison operators in the spelling of the documentation, without the hyphen. */
export type RuleOperator =
  | 'eq'
  | 'ne'
  | 'startsWith'
  | 'notStartsWith'
  | 'endsWith'
  | 'notEndsWith'
  | 'contains'
  | 'notContains'
  | 'match'
  | 'notMatch'
  | 'in'
  | 'notIn'
  | 'le'
  | 'ge';

/** The position of a part in the rule's text: offsets from 0, the end is exclusive. */
export interface RuleSpan {
  readonly start: number;
  readonly end: number;
}

/** `p30d`, `p1y2m`, `pt12h`: the offset from `system.now`. */
export interface RuleDuration {
  /** The duration as written, in lower case. */
  readonly text: string;
  readonly years: number;
  readonly months: number;
  /** Weeks included. */
  readonly days: number;
  /** Hours and minutes included. */
  readonly seconds: number;
}

/** The right side of a comparison. */
export type RuleValue =
  | { readonly type: 'string'; readonly value: string }
  /** The digits as written: properties are texts, among which 007 is not 7. */
  | { readonly type: 'number'; readonly value: string }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'null' }
  | { readonly type: 'list'; readonly values: readonly RuleScalar[] }
  | {
      readonly type: 'now';
      readonly offset?: { readonly sign: 'plus' | 'minus'; readonly duration: RuleDuration };
    };

/** A value in a list. */
export type RuleScalar = Extract<RuleValue, { readonly type: 'string' | 'number' | 'boolean' }>;

/**
 * The left side of a comparison: a property of the object, or inside `-any` and `-all` the entry
 * itself (`_`) or a member of it.
 */
export type RuleOperand =
  /** A property of the person or device: `user.department` has the name `department`. */
  | { readonly subject: RuleSubject; readonly name: string; readonly type: RulePropertyType }
  /** The entry `_` of a collection; with a name, a member of the service plan that it is. */
  | { readonly subject: 'entry'; readonly name?: 'servicePlanId' | 'service' | 'capabilityStatus' };

/** A condition. `and` and `or` have all their operands in one list. */
export type RuleExpression = RuleSpan &
  (
    | { readonly kind: 'and' | 'or'; readonly operands: readonly RuleExpression[] }
    | { readonly kind: 'not'; readonly operand: RuleExpression }
    | {
        readonly kind: 'compare';
        readonly left: RuleOperand;
        readonly operator: RuleOperator;
        readonly value: RuleValue;
      }
    | {
        readonly kind: 'any' | 'all';
        readonly collection: Extract<RuleOperand, { subject: RuleSubject }>;
        /** The condition that any entry, or all of them, must fulfil. */
        readonly predicate: RuleExpression;
      }
  );

/** A parsed membership rule. */
export type MembershipRule =
  | {
      readonly kind: 'expression';
      readonly subject: RuleSubject;
      readonly expression: RuleExpression;
      /** The whole rule as written. */
      readonly text: string;
    }
  /** `Direct Reports for "<object id>"`. */
  | {
      readonly kind: 'directReports';
      readonly subject: 'user';
      /** The object id of the manager, in lower case. */
      readonly managerId: string;
      /** The whole rule as written. */
      readonly text: string;
    }
  /** `user.memberof -any (group.objectId -in [...])`: the direct members of other groups. */
  | {
      readonly kind: 'memberOf';
      readonly subject: RuleSubject;
      /** The object ids of the groups, in lower case. */
      readonly groupIds: readonly string[];
      /** The whole rule as written. */
      readonly text: string;
    };

/** A syntax error of a rule. */
export interface MembershipRuleError {
  /** What was found and what is allowed, without the position. */
  readonly message: string;
  /** Offset in the text, from 0. */
  readonly position: number;
  /** The suggested text from the position to this end. */
  readonly suggestion?: { readonly end: number; readonly text: string };
}
