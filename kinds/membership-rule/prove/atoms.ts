import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { compileComparison } from '../evaluation/compare-value.js';
import type { RuleOperator, RuleValue } from '../ast.js';
import type { Atom, Attribute } from './atom.js';
import { acceptsText, type Automaton, textAutomaton, type TextOperator } from './automaton.js';
import type { Effort } from './effort.js';
import { type Formula, Formulas } from './formula.js';
import type { UndocumentedPoint } from './interpretation.js';
import { boundaryInstants } from './instants.js';
import { hasAmbiguousLetters } from './code-point-classes.js';
import { hasShorthandClasses, patternAutomaton } from './pattern-automaton.js';

/** Text attributes that no person or device lacks. */
const requiredTexts =
  /^(?:user\.(?:objectId|displayName|userPrincipalName)|device\.(?:objectId|displayName|deviceId))$/;
/** Boolean attributes that no person or device lacks. */
const requiredBooleans = new Set(['user.accountEnabled', 'device.accountEnabled']);

type TextAttribute = Attribute & { readonly kind: 'text' };
type EnumeratedAttribute = Attribute & { readonly kind: 'enumerated' };
type CollectionAttribute = Attribute & { readonly kind: 'collection' };

/**
 * The attributes and the atoms of questions, each created once: equal conditions are the same atom.
 */
export class Atoms {
  readonly formulas = new Formulas();
  /** The atoms by their numbers. */
  readonly byNumber: Atom[] = [];
  /** Attributes that stand for undecidable conditions, with the reason. */
  readonly undecidable = new Map<Attribute, string>();
  /** Undecidable conditions that anybody may fail: about a claim, or an account elsewhere. */
  readonly dependingOnPerson = new Set<Attribute>();
  /** The text attribute of an undecidable condition about a text. */
  readonly comparedTextOfStandIn = new Map<Attribute, TextAttribute>();
  /** The undocumented points on which the questions so far depend. */
  readonly undocumented = new Set<UndocumentedPoint>();
  readonly #attributes = new Map<string, Attribute>();
  readonly #formulaByKey = new Map<string, Formula>();

  /**
   * @param now milliseconds since 1970, for `system.now`.
   * @param effort is spent on automata.
   * @default without a limit
   */
  constructor(
    readonly now: number,
    private readonly effort?: Effort,
  ) {}

  /** A text attribute, which may be absent unless every person has it. */
  text(name: string, isNullable = !requiredTexts.test(name)): TextAttribute {
    return this.#attribute(name, () => ({
      kind: 'text',
      name,
      isNullable,
      spellings: new Map<string, string>(),
    }));
  }

  /** A Boolean attribute, which may be absent unless every person has it. */
  boolean(name: string): EnumeratedAttribute {
    return this.enumerated(name, requiredBooleans.has(name) ? [true, false] : [true, false, null]);
  }

  /** An attribute with a few values. */
  enumerated(name: string, values: readonly unknown[]): EnumeratedAttribute {
    return this.#attribute(name, () => ({ kind: 'enumerated', name, values: [...values] }));
  }

  /** A collection. @param members the names of its entries' members; `''` if entries are texts */
  collection(name: string, members: readonly string[]): CollectionAttribute {
    return this.#attribute(name, () => ({
      kind: 'collection',
      name,
      members: new Map(
        members.map((member) => [member, this.text(`${name}[].${member}`, member !== '')]),
      ),
    }));
  }

  /** The formula that a text compares with a constant. */
  textComparison(attribute: TextAttribute, operator: TextOperator, constant: string): Formula {
    const lowerCase = constant.toLowerCase();
    const isAmbiguous = hasAmbiguousLetters(constant);
    return this.#atom(`${attribute.name} ${operator} ${isAmbiguous ? constant : lowerCase}`, () => {
      const test = compileComparison(operator, { type: 'string', value: constant });
      if (!attribute.spellings.has(lowerCase)) attribute.spellings.set(lowerCase, constant);
      const reason = `letters of "${constant}" have no small form of their own`;
      const comparison = `${operator} "${constant}"`;
      const automaton = textAutomaton(operator, constant);
      const atom = this.#textAtom(attribute, test, automaton, { comparison, reason });
      return isAmbiguous ? { ...atom, ambiguousText: constant } : atom;
    });
  }

  /**
   * The formula that a part of a text matches a pattern.
   *
   * @param classes the characters in classes such as `\d`: of ASCII, or of all scripts
   */
  patternMatch(
    attribute: TextAttribute,
    pattern: string,
    classes: 'ASCII' | 'Unicode' = 'ASCII',
  ): Formula {
    const hasClasses = hasShorthandClasses(pattern);
    if (hasClasses) this.undocumented.add('areCharacterClassesUnicode');
    const isUnicode = classes === 'Unicode' && hasClasses;
    const key = `${attribute.name} match${isUnicode ? ' Unicode' : ''} ${pattern}`;
    return this.#atom(key, () => {
      const { automaton, reason, steps } = patternAutomaton(pattern, isUnicode);
      const test =
        isUnicode && automaton !== undefined
          ? (value: unknown): boolean => typeof value === 'string' && acceptsText(automaton, value)
          : compileComparison('match', { type: 'string', value: pattern });
      this.effort?.spend(steps);
      const atom = this.#textAtom(attribute, test, automaton, {
        comparison: `match "${pattern}"`,
        reason: `the pattern "${pattern}" ${reason}`,
      });
      return hasAmbiguousLetters(pattern) ? { ...atom, ambiguousText: pattern } : atom;
    });
  }

  /** The formula that a Boolean or a date compares with a value. */
  valueComparison(
    attribute: EnumeratedAttribute,
    operator: RuleOperator,
    value: RuleValue,
  ): Formula {
    const isDate = attribute.name === 'user.employeeHireDate';
    const test = compileComparison(operator, value, isDate ? 'date' : 'boolean');
    return this.#atom(`${attribute.name} ${operator} ${JSON.stringify(value)}`, () => {
      if (isDate)
        for (const instant of boundaryInstants(value, this.now))
          if (!attribute.values.includes(instant)) attribute.values.push(instant);
      return { attribute, test: (each) => test(each, this.now) };
    });
  }

  /** The formula that an attribute has a certain value. */
  valueIs(attribute: EnumeratedAttribute, value: unknown): Formula {
    return this.#atom(`${attribute.name} is ${JSON.stringify(value)}`, () => ({
      attribute,
      test: (each) => each === value,
    }));
  }

  /** The formula that an attribute has no value. */
  absent(attribute: Attribute): Formula {
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

  /** The formula that an entry of a collection fulfils a condition on its members. */
  anyEntry(attribute: CollectionAttribute, condition: Formula): Formula {
    if (condition === this.formulas.false) return condition;
    return this.#atom(`${attribute.name} any ${String(condition.id)}`, () => ({
      attribute,
      entryCondition: condition,
      test: (value) =>
        Array.isArray(value) && value.some((each) => this.#fulfils(each, condition, attribute)),
    }));
  }

  /**
   * A condition that can't be decided, with the reason.
   *
   * @param dependsOn `directory` for one that the directory's content decides, such as who is in a
   *   group; `person` for one that anybody may fail, whatever the directory contains.
   */
  undecidableCondition(name: string, reason: string, dependsOn: 'directory' | 'person'): Formula {
    const attribute = this.enumerated(name, [false, true]);
    this.undecidable.set(attribute, reason);
    if (dependsOn === 'person') this.dependingOnPerson.add(attribute);
    return this.valueIs(attribute, true);
  }

  /** Whether an entry of an actual collection fulfils a condition. */
  #fulfils(value: unknown, condition: Formula, { members }: CollectionAttribute): boolean {
    const result = this.formulas.assign(condition, (number) => {
      const { attribute, test } = this.byNumber[number] as Atom;
      const name = [...members].find(([, each]) => each === attribute)?.[0] ?? '';
      return test(
        name === '' ? value : (value as Readonly<Record<string, unknown>> | null)?.[name],
      );
    });
    return result === this.formulas.true;
  }

  #textAtom(
    attribute: TextAttribute,
    test: (value: unknown, now: number) => boolean,
    automaton: Automaton | undefined,
    { comparison, reason }: { readonly comparison: string; readonly reason: string },
  ): Omit<Atom, 'number'> {
    if (automaton !== undefined)
      return { attribute, automaton, test: (value) => test(value, this.now) };
    // one stand-in for each comparison: two with the same constant can have different results
    const standIn = this.enumerated(`${attribute.name} ${comparison}`, [false, true]);
    this.undecidable.set(standIn, reason);
    this.comparedTextOfStandIn.set(standIn, attribute);
    return { attribute: standIn, test: (value) => value === true };
  }

  #attribute<T extends Attribute>(name: string, create: () => T): T {
    const existing = this.#attributes.get(name);
    if (existing !== undefined) return existing as T;
    const created = create();
    this.#attributes.set(name, created);
    return created;
  }

  #atom(key: string, create: () => Omit<Atom, 'number'>): Formula {
    const existing = this.#formulaByKey.get(key);
    if (existing !== undefined) return existing;
    const created = create();
    const number = this.byNumber.push({ ...created, number: this.byNumber.length }) - 1;
    const formula = this.formulas.atom(number);
    this.#formulaByKey.set(key, formula);
    return formula;
  }
}

/** Whether somebody may have no value of an attribute. */
function isNullable(attribute: Attribute): boolean {
  return attribute.kind === 'text' ? attribute.isNullable : !requiredBooleans.has(attribute.name);
}
