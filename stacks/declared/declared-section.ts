import { CastellanError } from '../../core/errors/castellan-error.js';
import { nearest } from '../../core/text/nearest.js';

/**
 * Creates the construct of a declaration by its name. Called once for each name.
 */
export type CreateByName<Thing> = (name: string) => Thing;

/**
 * The declarations of one section by name, created on demand: a referenced declaration is created
 * before those that refer to it, in whatever order the configuration has them.
 */
export class DeclaredSection<Thing> {
  private readonly names: ReadonlySet<string>;
  private readonly constructs = new Map<string, Thing>();
  private readonly inProgress = new Set<string>();

  constructor(
    /** The section's name in messages: `groups`. */
    readonly section: string,
    names: readonly string[],
    private readonly create: CreateByName<Thing>,
  ) {
    this.names = new Set(names);
  }

  /** Whether the section declares that name. */
  has(name: string): boolean {
    return this.names.has(name);
  }

  /**
   * The construct of the declaration with a name, created on the first call.
   *
   * @param usedBy the declaration that refers to it, for messages: `groups.shoppers`.
   *
   * @throws CAS2007 when there is none; CAS2008 when it depends on itself.
   */
  get(name: string, usedBy: string): Thing {
    const existing = this.constructs.get(name);
    if (existing !== undefined) return existing;
    if (!this.has(name)) throw missingTargetError(name, usedBy, [this]);
    if (this.inProgress.has(name)) throw this.cycleError(name);
    this.inProgress.add(name);
    const thing = this.create(name);
    this.inProgress.delete(name);
    this.constructs.set(name, thing);
    return thing;
  }

  private cycleError(name: string): CastellanError {
    const started = [...this.inProgress];
    const cycle = [...started.slice(started.indexOf(name)), name];
    return new CastellanError(
      'CAS2008',
      `declarations depend on each other: ${cycle.map((each) => `${this.section}.${each}`).join(' -> ')}`,
    );
  }

  /** Whether a declaration is just being created, so that it can't be got yet. */
  isInProgress(name: string): boolean {
    return this.inProgress.has(name);
  }

  /** Creates every declaration, in the order of the configuration. */
  createAll(): Thing[] {
    return [...this.names].map((name) => this.get(name, this.section));
  }

  /** The names of all declarations. */
  allNames(): Iterable<string> {
    return this.names;
  }
}

/** The error of a reference to something undeclared, with a suggestion. */
export function missingTargetError(
  name: string,
  usedBy: string,
  sections: readonly DeclaredSection<unknown>[],
): CastellanError {
  const suggestion = nearest(
    name,
    sections.flatMap((each) => [...each.allNames()]),
  );
  const sectionNames = sections.map(({ section }) => section).join(' or ');
  const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  return new CastellanError(
    'CAS2007',
    `${usedBy} refers to ${JSON.stringify(name)}, which no ${sectionNames} declare${hint}`,
    {
      details: { name, usedBy, meant: suggestion },
    },
  );
}
