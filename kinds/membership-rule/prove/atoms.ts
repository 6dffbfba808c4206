import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { compileComparison } from '../evaluation/compare-value.js';
import type { RuleOperator, RuleValue } from '../ast.js';
import type { Atom, Attribute } from './atom.js';
import { acceptsText, type Automaton, textAutomaton, type TextOperator } from './automaton.js';
import type { Effort } from './effort.js';
import { type Formula, Formulas } from './formula.js';
import type { UndocumentedPoint } from './interpretation.js';
import { boundaryInstants } from './instants.js';
import { hasAmbiguousLetters } from './letter-classes.js';
import { hasLetterClasses, patternAutomaton } from './pattern-automaton.js';

/** Texts that every person or device has. */
const requiredTexts =
  /^(?:user\.(?:objectId|displayName|userPrincipalName)|device\.(?:objectId|displayName|deviceId))$/;
/** Booleans that every person or device has. */
const requiredBooleans = new Set(['user.accountEnabled', 'device.accountEnabled']);

type TextAttribute = Attribute & { readonly kind: 'text' };
type ValueAttribute = Attribute & { readonly kind: 'values' };
type CollectionAttribute = Attribute & { readonly kind: 'collection' };

/**
 * The attributes and the atoms of questions, each made once: equal conditions are the same atom.
 */
export class Atoms {
  readonly formulas = new Formulas();
  /** The atoms by their numbers. */
  readonly byNumber: Atom[] = [];
  /** Attributes that stand for conditions which can't be decided, with the reason. */
  readonly undecidable = new Map<Attribute, string>();
  /** Those of them that somebody can lack, whoever they are: a claim, an account elsewhere. */
  readonly personal = new Set<Attribute>();
  /** The text that such a condition asks, where it asks one. */
  readonly askedText = new Map<Attribute, TextAttribute>();
  /** The undocumented points that matter to what was asked so far. */
  readonly undocumented = new Set<UndocumentedPoint>();
  readonly #attributes = new Map<string, Attribute>();
  readonly #formulaByKey = new Map<string, Formula>();

  /**
   * @param now milliseconds since 1970, for `system.now`.
   * @param effort counts the making of automata.
   * @default it is not limited
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
  boolean(name: string): ValueAttribute {
    return this.values(name, requiredBooleans.has(name) ? [true, false] : [true, false, null]);
  }

  /** An attribute with a few values. */
  values(name: string, values: readonly unknown[]): ValueAttribute {
    return this.#attribute(name, () => ({ kind: 'values', name, values: [...values] }));
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

  /** That a text compares with a constant. */
  textComparison(attribute: TextAttribute, operator: TextOperator, constant: string): Formula {
    const lowerCase = constant.toLowerCase();
    const isAmbiguous = hasAmbiguousLetters(constant);
    return this.#atom(`${attribute.name} ${operator} ${isAmbiguous ? constant : lowerCase}`, () => {
      const test = compileComparison(operator, { type: 'string', value: constant });
      if (!attribute.spellings.has(lowerCase)) attribute.spellings.set(lowerCase, constant);
      const why = `letters of "${constant}" have no small form of their own`;
      const what = `${operator} "${constant}"`;
      const automaton = textAutomaton(operator, constant);
      const atom = this.#textAtom(attribute, test, automaton, { what, why });
      return isAmbiguous ? { ...atom, ambiguousText: constant } : atom;
    });
  }

  /**
   * That a text has a part which matches a pattern.
   *
   * @param classes whether classes such as `\d` hold ASCII letters, or those of all scripts
   */
  patternMatch(
    attribute: TextAttribute,
    pattern: string,
    classes: 'ASCII' | 'Unicode' = 'ASCII',
  ): Formula {
    const hasClasses = hasLetterClasses(pattern);
    if (hasClasses) this.undocumented.add('areClassesUnicode');
    const isUnicode = classes === 'Unicode' && hasClasses;
    const key = `${attribute.name} match${isUnicode ? ' Unicode' : ''} ${pattern}`;
    return this.#atom(key, () => {
      const { automaton, why, steps } = patternAutomaton(pattern, isUnicode);
      const test =
        isUnicode && automaton !== undefined
          ? (value: unknown): boolean => typeof value === 'string' && acceptsText(automaton, value)
          : compileComparison('match', { type: 'string', value: pattern });
      this.effort?.spend(steps);
      const atom = this.#textAtom(attribute, test, automaton, {
        what: `match "${pattern}"`,
        why: `the pattern "${pattern}" ${why}`,
      });
      return hasAmbiguousLetters(pattern) ? { ...atom, ambiguousText: pattern } : atom;
    });
  }

  /** That a Boolean or a date compares with a value. */
  valueComparison(attribute: ValueAttribute, operator: RuleOperator, value: RuleValue): Formula {
    const isDate = attribute.name === 'user.employeeHireDate';
    const test = compileComparison(operator, value, isDate ? 'date' : 'boolean');
    return this.#atom(`${attribute.name} ${operator} ${JSON.stringify(value)}`, () => {
      if (isDate)
        for (const instant of boundaryInstants(value, this.now))
          if (!attribute.values.includes(instant)) attribute.values.push(instant);
      return { attribute, test: (each) => test(each, this.now) };
    });
  }

  /** That an attribute has a value. */
  valueIs(attribute: ValueAttribute, value: unknown): Formula {
    return this.#atom(`${attribute.name} is ${JSON.stringify(value)}`, () => ({
      attribute,
      test: (each) => each === value,
    }));
  }

  /** That an attribute has no value. */
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

  /** That some entry of a collection fulfils a condition on its members. */
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
   * A condition of which nothing is known, with the reason.
   *
   * @param kind `personal` where somebody can lack it, whoever they are
   */
  unknown(name: string, why: string, kind: 'of the directory' | 'personal'): Formula {
    const attribute = this.values(name, [false, true]);
    this.undecidable.set(attribute, why);
    if (kind === 'personal') this.personal.add(attribute);
    return this.valueIs(attribute, true);
  }

  /** Whether an entry of a real person fulfils a condition. */
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
    { what, why }: { readonly what: string; readonly why: string },
  ): Omit<Atom, 'number'> {
    if (automaton !== undefined)
      return { attribute, automaton, test: (value) => test(value, this.now) };
    // each comparison has a truth of its own: two of one constant can differ
    const standIn = this.values(`${attribute.name} ${what}`, [false, true]);
    this.undecidable.set(standIn, why);
    this.askedText.set(standIn, attribute);
    return { attribute: standIn, test: (value) => value === true };
  }

  #attribute<T extends Attribute>(name: string, make: () => T): T {
    const known = this.#attributes.get(name);
    if (known !== undefined) return known as T;
    const made = make();
    this.#attributes.set(name, made);
    return made;
  }

  #atom(key: string, make: () => Omit<Atom, 'number'>): Formula {
    const known = this.#formulaByKey.get(key);
    if (known !== undefined) return known;
    const made = make();
    const number = this.byNumber.push({ ...made, number: this.byNumber.length }) - 1;
    const formula = this.formulas.atom(number);
    this.#formulaByKey.set(key, formula);
    return formula;
  }
}

/** Whether somebody may have no value of an attribute. */
function isNullable(attribute: Attribute): boolean {
  return attribute.kind === 'text' ? attribute.isNullable : !requiredBooleans.has(attribute.name);
}
