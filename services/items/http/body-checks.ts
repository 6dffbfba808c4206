import type { Static, TSchema } from '@sinclair/typebox';
import { mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { isGuid } from '../../../core/values/guid.js';
import { Problem, type ProblemDetail } from './problem.js';

/** Collects the mistakes in a body, so that one answer reports all of them. */
export class BodyChecks {
  private readonly details: ProblemDetail[] = [];

  /**
   * @param code the code of the answer: `InvalidInput` for creations, `InvalidRequest` for changes.
   */
  constructor(private readonly code: string) {}

  addMistake(message: string): undefined {
    this.details.push({ errorCode: this.code, message });
    return undefined;
  }

  /** An optional id; null counts as absent. */
  uuid(name: string, value: unknown): string | undefined {
    if (value === undefined || value === null) return undefined;
    return isGuid(value) ? value.toLowerCase() : this.addMistake(`${name} must be a UUID.`);
  }

  /** An optional value, checked by the description of its property; null counts as absent. */
  value<Schema extends TSchema>(
    name: string,
    value: unknown,
    schema: Schema,
  ): Static<Schema> | undefined {
    if (value === undefined || value === null) return undefined;
    const mistake = mistakeIn(schema, value);
    return mistake === undefined
      ? (value as Static<Schema>)
      : this.addMistake(`${name} is not allowed: ${mistake.message}.`);
  }

  /** @throws Problem when there were mistakes. */
  throwIfInvalid(): void {
    const [first, ...others] = this.details;
    if (first === undefined) return;
    throw new Problem(this.code, first.message, {
      moreDetails: others.length === 0 ? [] : this.details,
    });
  }
}
