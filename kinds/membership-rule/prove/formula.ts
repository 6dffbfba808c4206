/** A Boolean combination of atoms. Equal formulas of one {@link Formulas} are the same object. */
export interface Formula {
  readonly id: number;
  readonly kind: 'true' | 'false' | 'atom' | 'not' | 'and';
  /** The number of an atom; -1 for other kinds. */
  readonly atom: number;
  readonly operands: readonly Formula[];
}

/** The truth of an atom; undefined while it is open. */
export type Assignment = (atom: number) => boolean | undefined;

/**
 * Makes formulas of atoms, negations and conjunctions, each only once, and simplifies them: what
 * contradicts itself is `false`, what a neighbour already says is left out.
 */
export class Formulas {
  readonly #known = new Map<string, Formula>();
  readonly true = this.#make('true', -1, []);
  readonly false = this.#make('false', -1, []);
  readonly #atomLists = new Map<number, readonly number[]>();

  atom(atom: number): Formula {
    return this.#make('atom', atom, []);
  }

  not(formula: Formula): Formula {
    if (formula.kind === 'true') return this.false;
    if (formula.kind === 'false') return this.true;
    if (formula.kind === 'not') return formula.operands[0] as Formula;
    return this.#make('not', -1, [formula]);
  }

  and(operands: readonly Formula[]): Formula {
    let parts = this.#flat(operands);
    for (let isOpen = true; isOpen;) {
      isOpen = false;
      if (parts === undefined) return this.false;
      const present = parts;
      const next: Formula[] = [];
      for (const part of present.values()) {
        const shorter = this.#beside(part, present);
        if (shorter !== part) isOpen = true;
        next.push(shorter);
      }
      if (isOpen) parts = this.#flat(next);
    }
    if (parts === undefined) return this.false;
    const list = [...parts.values()].sort((a, b) => a.id - b.id);
    const [only] = list;
    if (only === undefined) return this.true;
    return list.length === 1 ? only : this.#make('and', -1, list);
  }

  or(operands: readonly Formula[]): Formula {
    return this.not(this.and(operands.map((each) => this.not(each))));
  }

  /** The formula when some atoms are known. */
  assign(formula: Formula, assignment: Assignment): Formula {
    const done = new Map<number, Formula>();
    const visit = (node: Formula): Formula => {
      if (node.kind === 'true' || node.kind === 'false') return node;
      const known = done.get(node.id);
      if (known !== undefined) return known;
      const result = this.#assigned(node, assignment, visit);
      done.set(node.id, result);
      return result;
    };
    return visit(formula);
  }

  /** The atoms in a formula. */
  atomsOf(formula: Formula): readonly number[] {
    const known = this.#atomLists.get(formula.id);
    if (known !== undefined) return known;
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

  #assigned(node: Formula, assignment: Assignment, visit: (node: Formula) => Formula): Formula {
    if (node.kind === 'atom') {
      const value = assignment(node.atom);
      return value === undefined ? node : value ? this.true : this.false;
    }
    const operands = node.operands.map(visit);
    if (operands.every((each, at) => each === node.operands[at])) return node;
    return node.kind === 'not' ? this.not(operands[0] as Formula) : this.and(operands);
  }

  /** The operands of a conjunction by id; undefined if they contradict each other. */
  #flat(operands: readonly Formula[]): Map<number, Formula> | undefined {
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

  /** A part of a conjunction without what its neighbours already say. */
  #beside(part: Formula, neighbours: ReadonlyMap<number, Formula>): Formula {
    const [inner] = part.operands;
    if (part.kind !== 'not' || inner?.kind !== 'and') return part;
    const denies = (each: Formula): boolean =>
      each.kind === 'not'
        ? neighbours.has((each.operands[0] as Formula).id)
        : neighbours.has(this.not(each).id);
    if (inner.operands.some(denies)) return this.true;
    const open = inner.operands.filter(({ id }) => !neighbours.has(id));
    return open.length === inner.operands.length ? part : this.not(this.and(open));
  }

  #make(kind: Formula['kind'], atom: number, operands: readonly Formula[]): Formula {
    const key = kind === 'atom' ? `a${String(atom)}` : kind + operands.map(({ id }) => id).join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = { id: this.#known.size, kind, atom, operands };
    this.#known.set(key, made);
    return made;
  }
}
