import type { Finding } from '../../core/findings/finding.js';
import type { ConfigPath } from '../../core/yaml/layers.js';

interface Correction {
  /** The map that contains the key, by corrected keys. */
  readonly parent: ConfigPath;
  /** The key as it is written. */
  readonly spelling: string;
  /** The key that was meant. */
  readonly name: string;
}

/**
 * Corrections of misspelt keys with only one possible meaning: their values are checked as if they
 * were spelt right, so that one mistake is one finding. Keeps the original spelling for locations
 * and edits.
 */
export class CorrectedKeys {
  readonly #corrections: Correction[] = [];

  /** Adds the misspelt keys of findings; false if none has only one possible meaning. */
  addFrom(findings: readonly Finding[]): boolean {
    const before = this.#corrections.length;
    for (const { fix, path = [] } of findings) {
      const spelling = path.at(-1);
      if (fix?.key !== undefined && typeof spelling === 'string')
        this.#corrections.push({ parent: path.slice(0, -1), spelling, name: fix.key });
    }
    return this.#corrections.length > before;
  }

  /** A value with corrected keys. @param path its path. */
  correct<Value>(value: Value, path: ConfigPath = []): Value {
    return this.#corrections.reduce<Value>((current, { parent, spelling, name }) => {
      const isInside =
        path.every((step, index) => step === parent[index]) && parent.length >= path.length;
      return isInside ? rename(current, parent.slice(path.length), spelling, name) : current;
    }, value);
  }

  /** A path in the original spelling. */
  toOriginal(path: ConfigPath): ConfigPath {
    if (this.#corrections.length === 0) return path;
    return path.map((step, depth) => {
      const correction = this.#corrections.find(
        ({ parent, name }) =>
          name === step &&
          parent.length === depth &&
          parent.every((each, index) => each === path[index]),
      );
      return correction === undefined ? step : correction.spelling;
    });
  }

  /** A finding whose fix edits the original spelling. */
  withOriginalPath(finding: Finding): Finding {
    if (this.#corrections.length === 0 || finding.fix === undefined) return finding;
    return { ...finding, fix: { ...finding.fix, path: this.toOriginal(finding.fix.path) } };
  }
}

function rename<Value>(value: Value, parent: ConfigPath, spelling: string, name: string): Value {
  if (value === null || typeof value !== 'object') return value;
  const [step, ...below] = parent;
  if (step !== undefined) {
    const inner = (value as Readonly<Record<string | number, unknown>>)[step];
    const next = rename(inner, below, spelling, name);
    if (next === inner) return value;
    return (
      Array.isArray(value)
        ? value.map((each: unknown, index) => (index === step ? next : each))
        : { ...value, [step]: next }
    ) as Value;
  }
  if (!Object.hasOwn(value, spelling) || Object.hasOwn(value, name)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key === spelling ? name : key, each as unknown]),
  ) as Value;
}
