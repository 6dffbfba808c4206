import { isObject } from '../../../core/values/is-object.js';
import type { JsonObject } from './settings.js';
import type { ConfigProblem } from './problems.js';
import { findSecret, SecretFileError, type SecretSources, secretVariableName } from './secrets.js';

/** Reads values of a validated configuration, and collects mistakes that its schema can't find. */
export class ConfigReader {
  readonly problems: ConfigProblem[] = [];
  readonly warnings: string[] = [];

  constructor(
    readonly body: JsonObject,
    private readonly secrets: SecretSources,
  ) {}

  /** The value at a dotted path, in which a number is the index of a list. */
  value(path: string): unknown {
    let value: unknown = this.body;
    for (const part of path.split('.'))
      value = Array.isArray(value)
        ? (value[Number(part)] as unknown)
        : isObject(value)
          ? value[part]
          : undefined;
    return value;
  }

  /** The text at a path; undefined for an empty one, and for another type. */
  text(path: string): string | undefined {
    const value = this.value(path);
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  boolean(path: string): boolean | undefined {
    const value = this.value(path);
    return typeof value === 'boolean' ? value : undefined;
  }

  /** The texts of the list at a path; none if there is no list. */
  list(path: string): string[] {
    return textsIn(this.value(path));
  }

  /** The texts of a list in an object, under a key that may contain dots. */
  listIn(parent: JsonObject, key: string): string[] {
    return textsIn(parent[key]);
  }

  /**
   * A list of who is admitted. A list without a text is a problem, because it would admit
   * everyone, as an absent list does.
   *
   * @param options `allowEmpty` accepts an empty list, as the cloud does: it restricts nobody.
   */
  allowList(path: string, { allowEmpty = false } = {}): string[] {
    const value = this.value(path);
    const texts = textsIn(value);
    if (Array.isArray(value) && texts.length === 0 && !(allowEmpty && value.length === 0))
      this.addProblem(path, 'must list at least one value that is let in');
    return texts;
  }

  /**
   * Collects a mistake.
   *
   * @param redactedMessage for the log of a refused reload: the message without names of secrets
   */
  addProblem(property: string, message: string, redactedMessage?: string): void {
    this.problems.push(
      redactedMessage === undefined
        ? { property, message }
        : { property, message, redactedMessage },
    );
  }

  /** A required text; a missing one is a problem that names the property. */
  requiredText(path: string): string {
    const value = this.text(path);
    if (value === undefined || value.trim() === '') this.addProblem(path, 'is required');
    return value ?? '';
  }

  /** The secret whose name is at a path; a missing one is a problem. */
  secret(path: string): string | undefined {
    const name = this.text(path);
    return name === undefined ? undefined : this.findSecret(name, path);
  }

  /** A secret by its name; a missing one is a problem of the property at the path. */
  findSecret(name: string, path: string): string | undefined {
    let value: string | undefined;
    try {
      value = findSecret(name, this.secrets);
    } catch (error) {
      if (!(error instanceof SecretFileError)) throw error;
      this.addProblem(path, `the secret "${name}" ${error.message}`, `its secret ${error.message}`);
      return undefined;
    }
    if (value === undefined)
      this.addProblem(
        path,
        `the secret "${name}" is neither in the environment (${secretVariableName(name)}) nor in the directory of secrets`,
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
