import { isObject } from '../../../core/values/is-object.js';
import type { JsonObject } from './settings.js';
import type { ConfigProblem } from './problems.js';
import { findSecret, RefusedSecret, type SecretSources, variableOf } from './secrets.js';

/** Reads values of a validated body, and collects mistakes beyond the schema. */
export class ConfigReader {
  readonly problems: ConfigProblem[] = [];
  readonly warnings: string[] = [];

  constructor(
    readonly body: JsonObject,
    private readonly secrets: SecretSources,
  ) {}

  /** The value at a dotted path, in which a number is the index of a list. */
  at(path: string): unknown {
    let value: unknown = this.body;
    for (const part of path.split('.'))
      value = Array.isArray(value)
        ? (value[Number(part)] as unknown)
        : isObject(value)
          ? value[part]
          : undefined;
    return value;
  }

  text(path: string): string | undefined {
    const value = this.at(path);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  boolean(path: string): boolean | undefined {
    const value = this.at(path);
    return typeof value === 'boolean' ? value : undefined;
  }

  list(path: string): string[] {
    return textsIn(this.at(path));
  }

  /** The texts of a list below a key that may contain dots. */
  listIn(parent: JsonObject, key: string): string[] {
    return textsIn(parent[key]);
  }

  /**
   * A list of who is let in. Without a text in it everyone would be: a problem.
   *
   * @param orNone whether an empty list is allowed, as in the cloud.
   */
  admitted(path: string, { orNone = false } = {}): string[] {
    const value = this.at(path);
    const texts = textsIn(value);
    if (Array.isArray(value) && texts.length === 0 && !(orNone && value.length === 0))
      this.problem(path, 'must list at least one value that is let in');
    return texts;
  }

  problem(property: string, message: string, quiet?: string): void {
    this.problems.push(quiet === undefined ? { property, message } : { property, message, quiet });
  }

  /** A required text; a missing one is a problem that names the property. */
  required(path: string): string {
    const value = this.text(path);
    if (value === undefined || value.trim() === '') this.problem(path, 'is required');
    return value ?? '';
  }

  /** The secret named at a path; a missing one is a problem that names it. */
  secret(path: string): string | undefined {
    const name = this.text(path);
    return name === undefined ? undefined : this.findSecret(name, path);
  }

  /** A secret by its name. */
  findSecret(name: string, path: string): string | undefined {
    let value: string | undefined;
    try {
      value = findSecret(name, this.secrets);
    } catch (error) {
      if (!(error instanceof RefusedSecret)) throw error;
      this.problem(path, `the secret "${name}" ${error.message}`, `its secret ${error.message}`);
      return undefined;
    }
    if (value === undefined)
      this.problem(
        path,
        `the secret "${name}" is neither in the environment (${variableOf(name)}) nor in the directory of secrets`,
        'its secret is neither in the environment nor in the directory of secrets',
      );
    return value;
  }
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((item): item is string => typeof item === 'string' && item !== '')
    : [];
}
