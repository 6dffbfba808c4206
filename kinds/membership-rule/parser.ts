import { guidRegexSource } from '../../core/values/guid.js';
import { group } from '../group/group.js';
import type {
  MembershipRule,
  MembershipRuleError,
  RuleExpression,
  RuleOperand,
  RuleOperator,
  RuleSubject,
} from './ast.js';
import { RuleSyntaxError, tokenizeRule } from './lexer.js';
import { parseMemberOf } from './member-of.js';
import {
  entryOperators,
  findRuleProperty,
  nearestRuleProperty,
  operatorsByType,
  positiveByNegative,
  ruleOperators,
} from './properties.js';
import { nearest } from '../../core/text/nearest.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { TokenReader } from './token-reader.js';
import { parseValue } from './value-parser.js';

const directReportsPattern = /^\s*Direct\s+Reports\s+for\s+["'\u201c]([^"'\u201d]*)["'\u201d]\s*$/i;
/** A GUID, also in braces. */
const guidInBraces = new RegExp(`^\\{?(${guidRegexSource})\\}?$`);

/** A rule, or its syntax error. */
export type ParsedMembershipRule =
  | { readonly rule: MembershipRule; readonly error?: undefined }
  | { readonly rule?: undefined; readonly error: MembershipRuleError };

/**
 * Parses the rule of a dynamic group: at most 3,072 characters, one type of object, operators that
 * fit the property (Directory rules, "Group properties", `membershipRule`). Used by
 * `castellan check` and by the directory service.
 *
 * @example
 * const { rule, error } = parseMembershipRule('user.department -eq "Sales"');
 */
export function parseMembershipRule(text: string): ParsedMembershipRule {
  try {
    return { rule: parseRule(text) };
  } catch (error) {
    if (!(error instanceof RuleSyntaxError)) throw error;
    const { message, position, suggestion } = error;
    return { error: { message, position, ...omitUndefined({ suggestion }) } };
  }
}

/** @throws RuleSyntaxError with the position of the mistake. */
function parseRule(text: string): MembershipRule {
  const { maxLength } = group.properties.membershipRule;
  if (text.length > maxLength)
    throw new RuleSyntaxError(
      `the rule has ${text.length} characters; at most ${maxLength} are allowed`,
      maxLength,
    );
  if (text.trim() === '') throw new RuleSyntaxError('the rule is empty', 0);
  const directReports = directReportsPattern.exec(text);
  if (directReports) {
    const managerId = guidInBraces.exec(directReports[1]?.trim() ?? '')?.[1];
    if (managerId === undefined)
      throw new RuleSyntaxError(
        'Direct Reports takes the object id of the manager, a GUID',
        text.search(/["'\u201c]/) + 1,
      );
    return { kind: 'directReports', subject: 'user', managerId: managerId.toLowerCase(), text };
  }
  return new RuleParser(new TokenReader(tokenizeRule(text)), text).rule();
}

class RuleParser {
  #subject: RuleSubject | undefined;
  /** The type of the collection in the enclosing `-any` or `-all`. */
  #collectionType: 'strings' | 'plans' | undefined;

  constructor(
    private readonly reader: TokenReader,
    private readonly text: string,
  ) {}

  rule(): MembershipRule {
    const memberOf = parseMemberOf(this.reader);
    if (memberOf) return { kind: 'memberOf', ...memberOf, text: this.text };
    const expression = this.#or();
    if (this.reader.next.kind !== 'end')
      this.reader.fail(
        `expected -and, -or or the end of the rule, found ${this.reader.describeNext()}`,
      );
    return { kind: 'expression', subject: this.#subject ?? 'user', expression, text: this.text };
  }

  #or(): RuleExpression {
    return this.#operands('or', () => this.#operands('and', () => this.#not()));
  }

  #operands(kind: 'and' | 'or', parseOperand: () => RuleExpression): RuleExpression {
    const { start } = this.reader.next;
    const operands = [parseOperand()];
    while (this.reader.acceptOperator(kind)) operands.push(parseOperand());
    const [singleOperand] = operands;
    if (singleOperand && operands.length === 1) return singleOperand;
    return {
      kind,
      operands: operands.flatMap((each) => (each.kind === kind ? each.operands : [each])),
      start,
      end: this.reader.end,
    };
  }

  #not(): RuleExpression {
    const { start } = this.reader.next;
    if (!this.reader.acceptOperator('not')) return this.#primary();
    return this.reader.nest(() => ({
      kind: 'not',
      operand: this.#not(),
      start,
      end: this.reader.end,
    }));
  }

  #primary(): RuleExpression {
    if (this.reader.next.kind !== '(') return this.#comparison();
    const { start } = this.reader.take();
    const inner = this.reader.nest(() => this.#or());
    this.reader.expect(')', "')'");
    return { ...inner, start, end: this.reader.end };
  }

  #comparison(): RuleExpression {
    const { start } = this.reader.next;
    const left = this.#operand();
    if (left.subject !== 'entry' && (left.type === 'strings' || left.type === 'plans'))
      return this.#quantified(left, start);
    const operator = this.#operator(left);
    const value = parseValue(this.reader, left, operator);
    return { kind: 'compare', left, operator, value, start, end: this.reader.end };
  }

  #operand(): RuleOperand {
    const token = this.reader.expect(
      'word',
      this.#collectionType === undefined
        ? 'a property such as user.department'
        : "'_' or a member of the entry",
    );
    if (this.#collectionType !== undefined) return this.#entryOperand(token.text, token.start);
    const dot = token.text.indexOf('.');
    const [prefix, name] =
      dot < 0
        ? ['', token.text]
        : [token.text.slice(0, dot).toLowerCase(), token.text.slice(dot + 1)];
    if (prefix !== 'user' && prefix !== 'device')
      this.reader.fail(
        `"${token.text}" is not a property: properties begin with "user." or "device."`,
        token.start,
      );
    if (this.#subject !== undefined && this.#subject !== prefix)
      this.reader.fail(
        `a rule is about users or about devices, not both, and this one uses ${this.#subject}. before`,
        token.start,
      );
    this.#subject = prefix;
    if (name.toLowerCase() === 'memberof')
      this.reader.fail(
        'memberOf must be the whole rule, as user.memberof -any (group.objectId -in [...])',
        token.start,
      );
    const property = findRuleProperty(prefix, name);
    if (property) return { subject: prefix, ...property };
    const suggestion = nearestRuleProperty(prefix, name);
    return this.reader.fail(
      `${prefix}.${name} is not a property of rules${suggestion === undefined ? '' : `; did you mean ${prefix}.${suggestion}?`}`,
      token.start,
      suggestion === undefined
        ? undefined
        : { end: token.end, text: `${token.text.slice(0, dot)}.${suggestion}` },
    );
  }

  #entryOperand(text: string, position: number): RuleOperand {
    if (this.#collectionType === 'strings')
      return text === '_'
        ? { subject: 'entry' }
        : this.reader.fail(`the entries of this collection are called _, not "${text}"`, position);
    const member = /^(?:assignedPlan|_)\.(servicePlanId|service|capabilityStatus)$/i
      .exec(text)?.[1]
      ?.toLowerCase();
    const names = {
      serviceplanid: 'servicePlanId',
      service: 'service',
      capabilitystatus: 'capabilityStatus',
    } as const;
    if (member !== undefined)
      return { subject: 'entry', name: names[member as keyof typeof names] };
    return this.reader.fail(
      `expected assignedPlan.servicePlanId, assignedPlan.service or assignedPlan.capabilityStatus, found "${text}"`,
      position,
    );
  }

  #operator(left: RuleOperand): RuleOperator {
    const token = this.reader.next;
    const name = token.kind === 'operator' || token.kind === 'word' ? token.text : undefined;
    const operator = name === undefined ? undefined : ruleOperators.get(name.toLowerCase());
    if (operator === undefined) {
      const suggestion = name === undefined ? undefined : nearest(name, ruleOperators.values());
      this.reader.fail(
        `expected an operator such as -eq, found ${this.reader.describeNext()}${suggestion === undefined ? '' : `; did you mean -${suggestion}?`}`,
        token.start,
        suggestion === undefined ? undefined : { end: token.end, text: `-${suggestion}` },
      );
    }
    const allowed = operatorsByType[left.subject === 'entry' ? 'string' : left.type];
    if (!allowed.includes(operator))
      this.reader.fail(
        `-${operator} can't be used here; allowed are ${allowed.map((each) => `-${each}`).join(', ')}`,
      );
    this.reader.take();
    return operator;
  }

  #quantified(
    collection: Extract<RuleOperand, { subject: RuleSubject }>,
    start: number,
  ): RuleExpression {
    const kind = (['any', 'all'] as const).find((each) => this.reader.acceptOperator(each));
    if (kind === undefined) return this.#entryComparison(collection, start);
    this.#collectionType = collection.type === 'plans' ? 'plans' : 'strings';
    const predicate = this.reader.next.kind === '(' ? this.#primary() : this.#comparison();
    this.#collectionType = undefined;
    return { kind, collection, predicate, start, end: this.reader.end };
  }

  /** `user.otherMails -startsWith "a"`: true for any entry; a negative operator, for no entry. */
  #entryComparison(
    collection: Extract<RuleOperand, { subject: RuleSubject }>,
    start: number,
  ): RuleExpression {
    const { kind, text } = this.reader.next;
    const operator = kind === 'string' ? undefined : ruleOperators.get(text.toLowerCase());
    if (
      collection.type !== 'strings' ||
      operator === undefined ||
      !entryOperators.includes(operator)
    )
      return this.reader.fail(
        `${collection.subject}.${collection.name} has several values and needs -any or -all, found ${this.reader.describeNext()}`,
      );
    this.reader.take();
    const left = { subject: 'entry' } as const;
    const value = parseValue(this.reader, left, operator);
    const span = { start, end: this.reader.end };
    const isNegative = operator in positiveByNegative;
    const predicate: RuleExpression = {
      kind: 'compare',
      left,
      operator: isNegative
        ? positiveByNegative[operator as keyof typeof positiveByNegative]
        : operator,
      value,
      ...span,
    };
    const any: RuleExpression = { kind: 'any', collection, predicate, ...span };
    return isNegative ? { kind: 'not', operand: any, ...span } : any;
  }
}
