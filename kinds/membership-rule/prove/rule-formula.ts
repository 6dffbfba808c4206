import type {
  MembershipRule,
  RuleExpression,
  RuleOperand,
  RuleOperator,
  RuleScalar,
  RuleValue,
} from '../ast.js';
import { positiveByNegative } from '../properties.js';
import type { Attribute } from './atom.js';
import type { Atoms } from './atoms.js';
import type { TextOperator } from './automaton.js';
import type { Formula } from './formula.js';
import type { Interpretation } from './interpretation.js';

/** Turns membership rules into formulas over atoms. */
export class RuleFormulas {
  /** @param interpretation the answers to undocumented points */
  constructor(
    private readonly atoms: Atoms,
    private readonly interpretation: Interpretation,
  ) {}

  /**
   * The formula of who is selected by a rule. @param inGroup returns that of a group's direct
   * members
   */
  formulaOf(rule: MembershipRule, inGroup: (id: string) => Formula): Formula {
    const { atoms } = this;
    switch (rule.kind) {
      case 'expression':
        return this.expression(rule.expression);
      case 'directReports':
        return atoms.textComparison(atoms.text('user.manager'), 'eq', rule.managerId);
      case 'memberOf':
        return atoms.formulas.or(rule.groupIds.map(inGroup));
    }
  }

  /**
   * The formula of an expression. @param entries the collection of the enclosing `-any` or `-all`
   */
  expression(node: RuleExpression, entries?: Attribute & { readonly kind: 'collection' }): Formula {
    const { formulas } = this.atoms;
    switch (node.kind) {
      case 'and':
        return formulas.and(node.operands.map((each) => this.expression(each, entries)));
      case 'or':
        return formulas.or(node.operands.map((each) => this.expression(each, entries)));
      case 'not':
        return formulas.not(this.expression(node.operand, entries));
      case 'compare':
        return this.#comparison(this.#attributeOf(node.left, entries), node.operator, node.value);
      case 'any':
      case 'all':
        return this.#quantifiedCondition(node);
    }
  }

  #quantifiedCondition({
    kind,
    collection,
    predicate,
  }: Extract<RuleExpression, { kind: 'any' | 'all' }>) {
    const { atoms } = this;
    const { formulas } = atoms;
    const entries = this.#attributeOf(collection);
    if (entries.kind !== 'collection') throw new TypeError(`${entries.name} is no collection`);
    const condition = this.expression(predicate, entries);
    if (kind === 'any') return atoms.anyEntry(entries, condition);
    atoms.undocumented.add('doesAllMatchEmpty');
    const inAllEntries = formulas.not(atoms.anyEntry(entries, formulas.not(condition)));
    if (this.interpretation.doesAllMatchEmpty) return inAllEntries;
    return formulas.and([inAllEntries, atoms.anyEntry(entries, formulas.true)]);
  }

  #comparison(attribute: Attribute, operator: RuleOperator, value: RuleValue): Formula {
    const { atoms, interpretation } = this;
    const { formulas } = atoms;
    if (!(operator in positiveByNegative))
      return this.#positiveComparison(attribute, operator, value);
    const positive = positiveByNegative[operator as keyof typeof positiveByNegative];
    const opposite = formulas.not(this.#positiveComparison(attribute, positive, value));
    if (value.type !== 'null') atoms.undocumented.add('doNegativesMatchMissing');
    if (interpretation.doNegativesMatchMissing || value.type === 'null') return opposite;
    return formulas.and([opposite, formulas.not(atoms.absent(attribute))]);
  }

  #positiveComparison(attribute: Attribute, operator: RuleOperator, value: RuleValue): Formula {
    const { atoms } = this;
    if (value.type === 'null') return atoms.absent(attribute);
    if (attribute.kind === 'enumerated') return atoms.valueComparison(attribute, operator, value);
    if (attribute.kind === 'collection')
      throw new TypeError(`${attribute.name} needs -any or -all`);
    if (value.type === 'now') throw new TypeError('a text is not compared with the time');
    const textOf = (scalar: RuleScalar): string => String(scalar.value);
    if (value.type === 'list')
      return atoms.formulas.or(
        value.values.map((each) => atoms.textComparison(attribute, 'eq', textOf(each))),
      );
    if (operator === 'match')
      return atoms.patternMatch(
        attribute,
        textOf(value),
        this.interpretation.areCharacterClassesUnicode ? 'Unicode' : 'ASCII',
      );
    return atoms.textComparison(attribute, operator as TextOperator, textOf(value));
  }

  #attributeOf(
    operand: RuleOperand,
    entries?: Attribute & { readonly kind: 'collection' },
  ): Attribute {
    const { atoms } = this;
    if (operand.subject === 'entry') {
      const attribute = entries?.members.get(operand.name ?? '');
      if (attribute === undefined)
        throw new TypeError('an entry is only compared within -any and -all');
      return attribute;
    }
    const name = `${operand.subject}.${operand.name}`;
    switch (operand.type) {
      case 'string':
        return atoms.text(name);
      case 'boolean':
        return atoms.boolean(name);
      case 'date':
        return atoms.enumerated(name, [null, new Date(atoms.now).toISOString()]);
      case 'strings':
        return atoms.collection(name, ['']);
      case 'plans':
        return atoms.collection(name, ['servicePlanId', 'service', 'capabilityStatus']);
    }
  }
}
