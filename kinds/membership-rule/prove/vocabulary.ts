import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { compileComparison, positiveOf } from '../evaluation/compare-value.js';
import type { RuleExpression, RuleOperand, RuleOperator, RuleScalar, RuleValue } from '../ast.js';
import type { Atom, Attribute } from './attribute.js';
import { type Automaton, textAutomaton, type TextOperator } from './automaton.js';
import type { Effort } from './effort.js';
import { type Formula, Formulas } from './formula.js';
import { patternAutomaton } from './pattern-automaton.js';
import type { Interpretation } from './interpretation.js';

/** Properties that every person or device has. */
const required =
  /^(?:user\.(?:objectId|displayName|userPrincipalName)|device\.(?:objectId|displayName|deviceId))$/;
const always = new Set(['user.accountEnabled', 'device.accountEnabled']);
const day = 86_400_000;

/** A condition that can't be decided for all values, with the reason. */
export interface OpaqueAtom {
  readonly attribute: Attribute;
  readonly why: string;
}

type Collection = Attribute & { readonly kind: 'entries' };
type TextAttribute = Attribute & { readonly kind: 'text' };

/** Turns expressions of rules into formulas over atoms, the same for the same condition. */
export class Vocabulary {
  readonly formulas = new Formulas();
  readonly atoms: Atom[] = [];
  /** Attributes that stand for conditions which can't be decided. */
  readonly opaque = new Map<Attribute, string>();
  readonly #attributes = new Map<string, Attribute>();
  readonly #known = new Map<string, Formula>();

  /**
   * @param now milliseconds since 1970, for `system.now`.
   * @param effort counts the making of automata. @default it is not limited
   */
  constructor(
    private readonly now: number,
    private readonly effort?: Effort,
  ) {}

  /** The formula of an expression. */
  expression(node: RuleExpression, reading: Interpretation): Formula {
    const { formulas } = this;
    switch (node.kind) {
      case 'and':
        return formulas.and(node.operands.map((each) => this.expression(each, reading)));
      case 'or':
        return formulas.or(node.operands.map((each) => this.expression(each, reading)));
      case 'not':
        return formulas.not(this.expression(node.operand, reading));
      case 'compare':
        return this.#comparison(node.left, node.operator, node.value, reading, undefined);
      case 'any':
      case 'all':
        return this.#quantified(node, reading);
    }
  }

  /** A text attribute, which may be absent unless every person has it. */
  text(name: string, isNullable = !required.test(name)): TextAttribute {
    return this.#attribute(name, () => ({
      kind: 'text',
      name,
      isNullable,
      spellings: new Map<string, string>(),
    }));
  }

  /** An attribute with a few values. */
  values(name: string, values: readonly unknown[]): Attribute & { readonly kind: 'values' } {
    return this.#attribute(name, () => ({ kind: 'values', name, values: [...values] }));
  }

  /** Whether a text compares with a constant. */
  compareText(attribute: TextAttribute, operator: TextOperator, constant: string): Formula {
    const small = constant.toLowerCase();
    return this.#atom(`${attribute.name} ${operator} ${small}`, () => {
      const test = compileComparison(operator, { type: 'string', value: constant });
      if (!attribute.spellings.has(small)) attribute.spellings.set(small, constant);
      return this.#textAtom(attribute, test, textAutomaton(operator, constant), () => {
        return `letters of "${constant}" have no small form of their own`;
      });
    });
  }

  /** Whether a value is one of an attribute's. */
  isValue(attribute: Attribute & { readonly kind: 'values' }, value: unknown): Formula {
    return this.#atom(`${attribute.name} is ${JSON.stringify(value)}`, () => ({
      attribute,
      test: (each) => each === value,
    }));
  }

  /** A condition of which nothing is known, with the reason. */
  unknown(name: string, why: string): Formula {
    const attribute = this.values(name, [false, true]);
    this.opaque.set(attribute, why);
    return this.isValue(attribute, true);
  }

  #comparison(
    left: RuleOperand,
    operator: RuleOperator,
    value: RuleValue,
    reading: Interpretation,
    entries: Collection | undefined,
  ): Formula {
    const attribute = this.#attributeOf(left, entries);
    const positive =
      operator in positiveOf ? positiveOf[operator as keyof typeof positiveOf] : operator;
    const formula = this.#positive(attribute, positive, value);
    if (positive === operator) return formula;
    const { formulas } = this;
    const isNull = value.type === 'null';
    if (reading.isNegativeOfNothing || isNull || !isNullable(attribute))
      return formulas.not(formula);
    return formulas.and([formulas.not(formula), formulas.not(this.#absent(attribute))]);
  }

  #positive(attribute: Attribute, operator: RuleOperator, value: RuleValue): Formula {
    if (value.type === 'null') return this.#absent(attribute);
    if (attribute.kind === 'values') return this.#valueAtom(attribute, operator, value);
    if (attribute.kind === 'entries')
      throw new TypeError(`${attribute.name} is asked with -any and -all`);
    const textOf = (scalar: RuleScalar): string => String(scalar.value);
    if (value.type === 'list')
      return this.formulas.or(
        value.values.map((each) => this.compareText(attribute, 'eq', textOf(each))),
      );
    if (value.type === 'now') throw new TypeError('a text is not compared with the time');
    if (operator !== 'match')
      return this.compareText(attribute, operator as TextOperator, textOf(value));
    const pattern = textOf(value);
    return this.#atom(`${attribute.name} match ${pattern}`, () => {
      this.effort?.spendOnPattern();
      return this.#textAtom(
        attribute,
        compileComparison('match', value),
        patternAutomaton(pattern),
        () => {
          return `the pattern "${pattern}" has parts that regular expressions read differently`;
        },
      );
    });
  }

  #textAtom(
    attribute: Attribute,
    test: (value: unknown, now: number) => boolean,
    automaton: Automaton | undefined,
    why: () => string,
  ): Omit<Atom, 'number'> {
    if (automaton !== undefined)
      return { attribute, automaton, test: (value) => test(value, this.now) };
    const stand = this.values(`${attribute.name}: ${why()}`, [false, true]);
    this.opaque.set(stand, why());
    return { attribute: stand, test: (value) => value === true };
  }

  #absent(attribute: Attribute): Formula {
    if (!isNullable(attribute)) return this.formulas.false;
    return this.#atom(`${attribute.name} absent`, () => {
      const test = compileComparison('eq', { type: 'null' });
      const automaton = attribute.kind === 'text' ? textAutomaton('eq', '') : undefined;
      return {
        attribute,
        test: (value) => test(value, this.now),
        ...omitUndefined({ automaton }),
      };
    });
  }

  #valueAtom(
    attribute: Attribute & { readonly kind: 'values' },
    operator: RuleOperator,
    value: RuleValue,
  ): Formula {
    const isDate = attribute.name === 'user.employeeHireDate';
    const test = compileComparison(operator, value, isDate ? 'date' : 'boolean');
    return this.#atom(`${attribute.name} ${operator} ${JSON.stringify(value)}`, () => {
      if (isDate) this.#addInstants(attribute.values, value);
      return { attribute, test: (each) => test(each, this.now) };
    });
  }

  /** Adds the instants about a limit: those at which an evaluation of it can change. */
  #addInstants(values: unknown[], value: RuleValue): void {
    const limit = value.type === 'string' ? Date.parse(value.value) : this.#instantOf(value);
    const instants = [limit, limit - day, limit + day, limit - 1, limit + 1];
    for (const text of instants.map((each) => new Date(each).toISOString()))
      if (!values.includes(text)) values.push(text);
  }

  /** The instant of `system.now` with its offset, by the evaluator itself. */
  #instantOf(value: RuleValue): number {
    const atMost = compileComparison('le', value, 'date');
    let [low, high] = [Date.UTC(1, 0, 1), Date.UTC(9999, 0, 1)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (atMost(new Date(middle).toISOString(), this.now)) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #quantified(
    node: Extract<RuleExpression, { kind: 'any' | 'all' }>,
    reading: Interpretation,
  ): Formula {
    const { formulas } = this;
    const collection = this.#attributeOf(node.collection, undefined) as Collection;
    const condition = this.#predicate(node.predicate, reading, collection);
    if (node.kind === 'any') return this.#exists(collection, condition);
    const all = formulas.not(this.#exists(collection, formulas.not(condition)));
    if (reading.isAllOfNothing) return all;
    return formulas.and([all, this.#exists(collection, formulas.true)]);
  }

  #exists(attribute: Collection, entry: Formula): Formula {
    if (entry === this.formulas.false) return entry;
    return this.#atom(`${attribute.name} any ${String(entry.id)}`, () => ({
      attribute,
      entry,
      test: (value) =>
        Array.isArray(value) && value.some((each) => this.#fulfils(each, entry, attribute)),
    }));
  }

  /** Whether an entry of a real person fulfils a condition. */
  #fulfils(value: unknown, entry: Formula, { entry: members }: Collection): boolean {
    const result = this.formulas.assign(entry, (number) => {
      const { attribute, test } = this.atoms[number] as Atom;
      const name = [...members].find(([, each]) => each === attribute)?.[0] ?? '';
      return test(
        name === '' ? value : (value as Readonly<Record<string, unknown>> | null)?.[name],
      );
    });
    return result === this.formulas.true;
  }

  #predicate(node: RuleExpression, reading: Interpretation, collection: Collection): Formula {
    const { formulas } = this;
    switch (node.kind) {
      case 'and':
        return formulas.and(
          node.operands.map((each) => this.#predicate(each, reading, collection)),
        );
      case 'or':
        return formulas.or(node.operands.map((each) => this.#predicate(each, reading, collection)));
      case 'not':
        return formulas.not(this.#predicate(node.operand, reading, collection));
      case 'compare':
        return this.#comparison(node.left, node.operator, node.value, reading, collection);
      default:
        throw new TypeError('-any and -all hold no others');
    }
  }

  #attributeOf(operand: RuleOperand, entries: Collection | undefined): Attribute {
    if (operand.of === 'entry') {
      const attribute = entries?.entry.get(operand.name ?? '');
      if (attribute === undefined) throw new TypeError('an entry is asked within -any and -all');
      return attribute;
    }
    const name = `${operand.of}.${operand.name}`;
    switch (operand.type) {
      case 'string':
        return this.text(name);
      case 'boolean':
        return this.values(name, always.has(name) ? [true, false] : [true, false, null]);
      case 'date':
        return this.values(name, [null, new Date(this.now).toISOString()]);
      case 'strings':
        return this.#collection(name, ['']);
      case 'plans':
        return this.#collection(name, ['servicePlanId', 'service', 'capabilityStatus']);
    }
  }

  #collection(name: string, members: readonly string[]): Collection {
    return this.#attribute(name, () => ({
      kind: 'entries',
      name,
      entry: new Map(
        members.map((member) => [member, this.text(`${name}[].${member}`, member !== '')]),
      ),
    }));
  }

  #attribute<T extends Attribute>(name: string, make: () => T): T {
    const known = this.#attributes.get(name);
    if (known !== undefined) return known as T;
    const made = make();
    this.#attributes.set(name, made);
    return made;
  }

  #atom(key: string, make: () => Omit<Atom, 'number'>): Formula {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = make();
    const number = this.atoms.push({ ...made, number: this.atoms.length }) - 1;
    const formula = this.formulas.atom(number);
    this.#known.set(key, formula);
    return formula;
  }
}

function isNullable(attribute: Attribute): boolean {
  return attribute.kind === 'text' ? attribute.isNullable : !always.has(attribute.name);
}
