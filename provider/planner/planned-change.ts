import type { Finding, Style } from '../schemas/schema.js';
import type { Path } from '../values/path.js';
import type { Value, ValueMap } from '../values/value.js';
import { unknown } from '../values/value.js';

/** A plan in the making, for the rules of a resource type that its schema can't say. */
export class PlannedChange {
  readonly findings: Finding[] = [];
  readonly replace: Path[];

  constructor(
    readonly style: Style,
    readonly config: ValueMap,
    /** The state before; undefined for a creation. */
    readonly prior: ValueMap | undefined,
    public planned: ValueMap,
    replace: readonly Path[],
  ) {
    this.replace = [...replace];
  }

  /** Plans another value for an attribute of the top level. */
  set(name: string, value: Value): void {
    this.planned = { ...this.planned, [name]: value };
  }

  /** Says that an attribute of the top level is only known after apply. */
  setUnknown(...names: string[]): void {
    for (const name of names) this.set(name, unknown);
  }

  /** Says that the change at a path needs a new resource. */
  replaceBecauseOf(...path: Path): void {
    if (this.prior !== undefined) this.replace.push(path);
  }

  /** Says that the change of an attribute of the top level needs no new resource after all. */
  keepDespite(name: string): void {
    this.replace.splice(0, this.replace.length, ...this.replace.filter(([first]) => first !== name));
  }

  /** Plans nothing: what is there already is what is wanted. */
  cancel(): void {
    if (this.prior === undefined) return;
    this.planned = this.prior;
    this.replace.length = 0;
  }

  error(summary: string, detail: string | undefined, ...path: Path): void {
    this.findings.push({ severity: 'error', summary, path, ...(detail === undefined ? {} : { detail }) });
  }

  warn(summary: string, detail: string, ...path: Path): void {
    this.findings.push({ severity: 'warning', summary, detail, path });
  }
}
