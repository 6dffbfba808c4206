import type { EvaluationDetails } from '../../services/directory/membership-rule/index.js';

/** One condition of a membership rule in words, and the value that decided it. */
export interface RuleCondition {
  /** The property as rules name it: `department`. */
  readonly property: string;
  /** `department = Retail`. */
  readonly needs: string;
  /** The value that would fulfil it, where one text does. */
  readonly value?: string;
  /** The present value; undefined where it is not set. */
  readonly has: string | undefined;
}

/** Each operator in words, and in words for its opposite. */
const operators: Readonly<Record<string, readonly [holds: string, holdsNot: string]>> = {
  eq: ['=', '≠'],
  startswith: ['starting with', 'not starting with'],
  endswith: ['ending with', 'not ending with'],
  contains: ['containing', 'not containing'],
  match: ['matching', 'not matching'],
  in: ['one of', 'none of'],
  le: ['≤', 'not ≤'],
  ge: ['≥', 'not ≥'],
};

/** The conditions of a membership rule that made it give its result; others are left out. */
export function decidingConditions(details: EvaluationDetails): readonly RuleCondition[] {
  const { expressionResult } = details;
  return decidingParts(details, !expressionResult).flatMap((part) =>
    conditionOf(part, part.expressionResult !== expressionResult),
  );
}

/**
 * The single conditions with the other result than the wanted one.
 *
 * @param wanted the result of this part with which the whole rule would give the other result
 */
function decidingParts(details: EvaluationDetails, wanted: boolean): readonly EvaluationDetails[] {
  const { expressionResult, expressionEvaluationDetails: parts } = details;
  if (expressionResult === wanted) return [];
  const [only, second] = parts;
  if (only === undefined) return [details];
  const isNot = second === undefined && /^\(?\s*-?not\b/i.test(details.expression);
  return parts.flatMap((part) => decidingParts(part, isNot ? !wanted : wanted));
}

/**
 * One condition in words; none for a part that compares no property.
 *
 * @param mustNotHold whether the rule needs that the condition does not hold
 */
function conditionOf(
  { expression, propertyToEvaluate }: EvaluationDetails,
  mustNotHold: boolean,
): RuleCondition[] {
  if (propertyToEvaluate === null) return [];
  const property = propertyToEvaluate.propertyName.replace(/^(user|device)\./i, '');
  const has = propertyToEvaluate.propertyValue ?? undefined;
  const [, operator = '', right = ''] = /\s-?([a-z]+)\s+(.+?)\)*$/is.exec(expression) ?? [];
  const [, not = '', name = ''] = /^(not)?(\w+)$/.exec(operator.toLowerCase()) ?? [];
  const operatorTexts = operators[name === 'ne' ? 'eq' : name];
  if (operatorTexts === undefined)
    return [{ property, needs: mustNotHold ? `not ${expression}` : expression, has }];
  const isOpposite = (not !== '' || name === 'ne') !== mustNotHold;
  const operatorText = operatorTexts[isOpposite ? 1 : 0];
  const isText = /^(["']).*\1$/s.test(right);
  const value = isText ? right.slice(1, -1) : right;
  const hasFulfillingValue = operatorText === '=' && (isText || /^(true|false)$/i.test(right));
  return [
    {
      property,
      needs: `${property} ${operatorText} ${value}`,
      has,
      ...(hasFulfillingValue && { value }),
    },
  ];
}
