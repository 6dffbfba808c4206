import { CastellanError } from '../../core/errors/castellan-error.js';
import { nearest } from '../../core/text/nearest.js';

/**
 * Creates a declaration of a section by its name, once, when another refers to it or in its own
 * turn.
 */
export type CreateByName<Thing> = (name: string) => Thing;

/**
 * The declarations of one section by name, created on demand: a referenced declaration is created
 * before those that refer to it, in whatever order the configuration has them.
 */
export class DeclaredSection<Thing> {
  private readonly names: ReadonlySet<string>;
  private readonly constructs = new Map<string, Thing>();
  private readonly underway = new Set<string>();

  constructor(
    /** The section's name in messages: `groups`. */
    readonly section: string,
    names: readonly string[],
    private readonly make: CreateByName<Thing>,
  ) {
    this.names = new Set(names);
  }

  /** Whether the section declares that name. */
  has(name: string): boolean {
    return this.names.has(name);
  }

  /**
   * The declaration of that name.
   *
   * @throws CAS2007 when there is none; CAS2008 when it depends on itself.
   */
  get(name: string, usedBy: string): Thing {
    const existing = this.constructs.get(name);
    if (existing !== undefined) return existing;
    if (!this.has(name)) throw unknownReference(name, usedBy, [this]);
    if (this.underway.has(name))
      throw new CastellanError(
        'CAS2008',
        `${this.section}.${name} and ${usedBy} refer to each other`,
      );
    this.underway.add(name);
    const thing = this.make(name);
    this.underway.delete(name);
    this.constructs.set(name, thing);
    return thing;
  }

  /** Every declaration, in the order of the configuration. */
  createAll(): Thing[] {
    return [...this.names].map((name) => this.get(name, this.section));
  }

  /** The names that may be referred to. */
  allNames(): Iterable<string> {
    return this.names;
  }
}

/** The error of a reference to something undeclared, with a suggestion. */
export function unknownReference(
  name: string,
  usedBy: string,
  sections: readonly DeclaredSection<unknown>[],
): CastellanError {
  const suggestion = nearest(
    name,
    sections.flatMap((each) => [...each.allNames()]),
  );
  const where = sections.map(({ section }) => section).join(' or ');
  const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  return new CastellanError(
    'CAS2007',
    `${usedBy} refers to ${JSON.stringify(name)}, which no ${where} declare${hint}`,
    {
      details: { name, usedBy, meant: suggestion },
    },
  );
}
