/** A Boolean combination of atoms. Equal formulas of one {@link Formulas} are the same object. */
export interface Formula {
  /** A number in order of creation, unique in its {@link Formulas}. */
  readonly id: number;
  /** A disjunction is a negated conjunction of negations. */
  readonly kind: 'true' | 'false' | 'atom' | 'not' | 'and';
  /** The number of an atom; -1 for other kinds. */
  readonly atom: number;
  /** One for `not`, at least two for `and`, none for the others. */
  readonly operands: readonly Formula[];
}

/** The truth of an atom; undefined if it has none yet. */
export type Assignment = (atom: number) => boolean | undefined;

/**
 * Creates formulas of atoms, negations and conjunctions, each only once, and simplifies them: a
 * contradiction is `false`, and what another operand of a conjunction implies is left out.
 */
export class Formulas {
  readonly #formulasByKey = new Map<string, Formula>();
  readonly true = this.#intern('true', -1, []);
  readonly false = this.#intern('false', -1, []);
  readonly #atomLists = new Map<number, readonly number[]>();

  atom(atom: number): Formula {
    return this.#intern('atom', atom, []);
  }

  not(formula: Formula): Formula {
    if (formula.kind === 'true') return this.false;
    if (formula.kind === 'false') return this.true;
    if (formula.kind === 'not') return formula.operands[0] as Formula;
    return this.#intern('not', -1, [formula]);
  }

  and(operands: readonly Formula[]): Formula {
    let parts = this.#conjuncts(operands);
    for (let hasChanged = true; hasChanged;) {
      hasChanged = false;
      if (parts === undefined) return this.false;
      const current = parts;
      const simplifiedParts: Formula[] = [];
      for (const part of current.values()) {
        const simplified = this.#simplifyBeside(part, current);
        if (simplified !== part) hasChanged = true;
        simplifiedParts.push(simplified);
      }
      if (hasChanged) parts = this.#conjuncts(simplifiedParts);
    }
    if (parts === undefined) return this.false;
    const list = [...parts.values()].sort((a, b) => a.id - b.id);
    const [first] = list;
    if (first === undefined) return this.true;
    return list.length === 1 ? first : this.#intern('and', -1, list);
  }

  or(operands: readonly Formula[]): Formula {
    return this.not(this.and(operands.map((each) => this.not(each))));
  }

  /** A formula with the truth of some atoms put in. */
  assign(formula: Formula, assignment: Assignment): Formula {
    const results = new Map<number, Formula>();
    const visit = (node: Formula): Formula => {
      if (node.kind === 'true' || node.kind === 'false') return node;
      const existing = results.get(node.id);
      if (existing !== undefined) return existing;
      const result = this.#assignInside(node, assignment, visit);
      results.set(node.id, result);
      return result;
    };
    return visit(formula);
  }

  /** The atoms in a formula. */
  atomsOf(formula: Formula): readonly number[] {
    const cached = this.#atomLists.get(formula.id);
    if (cached !== undefined) return cached;
    const atoms = new Set<number>();
    const visited = new Set<number>();
    const visit = (node: Formula): void => {
      if (visited.has(node.id)) return;
      visited.add(node.id);
      if (node.kind === 'atom') atoms.add(node.atom);
      node.operands.forEach(visit);
    };
    visit(formula);
    const list = [...atoms];
    this.#atomLists.set(formula.id, list);
    return list;
  }

  /** The atoms whose truth can help a formula to be true. */
  wantedAtoms(formula: Formula): readonly number[] {
    const atoms = new Set<number>();
    const visited = new Set<string>();
    const visit = (node: Formula, isWanted: boolean): void => {
      const key = `${String(node.id)} ${String(isWanted)}`;
      if (visited.has(key)) return;
      visited.add(key);
      if (node.kind === 'atom' && isWanted) atoms.add(node.atom);
      for (const operand of node.operands) visit(operand, isWanted === (node.kind !== 'not'));
    };
    visit(formula, true);
    return [...atoms];
  }

  #assignInside(node: Formula, assignment: Assignment, visit: (node: Formula) => Formula): Formula {
    if (node.kind === 'atom') {
      const value = assignment(node.atom);
      if (value === undefined) return node;
      return value ? this.true : this.false;
    }
    const operands = node.operands.map(visit);
    if (operands.every((each, index) => each === node.operands[index])) return node;
    return node.kind === 'not' ? this.not(operands[0] as Formula) : this.and(operands);
  }

  /** The operands of a conjunction by id; undefined if they contradict each other. */
  #conjuncts(operands: readonly Formula[]): Map<number, Formula> | undefined {
    const parts = new Map<number, Formula>();
    for (const operand of operands) {
      if (operand.kind === 'false') return undefined;
      for (const part of operand.kind === 'and' ? operand.operands : [operand])
        if (part.kind !== 'true') parts.set(part.id, part);
    }
    for (const part of parts.values())
      if (part.kind === 'not' && parts.has((part.operands[0] as Formula).id)) return undefined;
    return parts;
  }

  /** An operand of a conjunction without what the other operands imply. */
  #simplifyBeside(part: Formula, neighbours: ReadonlyMap<number, Formula>): Formula {
    const [inner] = part.operands;
    if (part.kind !== 'not' || inner?.kind !== 'and') return part;
    const isDenied = (each: Formula): boolean =>
      each.kind === 'not'
        ? neighbours.has((each.operands[0] as Formula).id)
        : neighbours.has(this.not(each).id);
    if (inner.operands.some(isDenied)) return this.true;
    const remaining = inner.operands.filter(({ id }) => !neighbours.has(id));
    return remaining.length === inner.operands.length ? part : this.not(this.and(remaining));
  }

  #intern(kind: Formula['kind'], atom: number, operands: readonly Formula[]): Formula {
    const key = kind === 'atom' ? `a${String(atom)}` : kind + operands.map(({ id }) => id).join();
    const existing = this.#formulasByKey.get(key);
    if (existing !== undefined) return existing;
    const created = { id: this.#formulasByKey.size, kind, atom, operands };
    this.#formulasByKey.set(key, created);
    return created;
  }
}
