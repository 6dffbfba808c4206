import { textOfJson } from '../../common/body-parsers.js';
import type { Static, TSchema } from '@sinclair/typebox';
import { mistakeIn } from '../../../kinds/schema/judge.js';
import { isGuid } from '../../../core/values/guid.js';
import { isObject } from '../../../core/values/is-object.js';
import type { Call } from './call.js';
import { Problem, type ProblemDetail } from './problem.js';

/** A JSON object as it was sent. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The bytes of a request's body. */
export function bodySize(call: Call): number {
  return call.body.length;
}

/**
 * The JSON object in a request's body. Read by handlers after the caller's rights are known, because 401, 404 and 403 come before 400.
 *
 * @throws Problem 415 for another content type, 400 for anything that is not a JSON object.
 */
export function bodyOf(call: Call): JsonObject {
  const bytes = call.body;
  const contentType = call.headers['content-type'];
  if (bytes.length === 0) throw new Problem('InvalidInput', 'The request has no body; a JSON object is needed.');
  if (contentType !== undefined && !/^application\/(.+\+)?json\b/i.test(contentType))
    throw new Problem('UnsupportedMediaType', `The content type ${contentType} is not supported; application/json is.`);
  let value: unknown;
  try {
    value = JSON.parse(textOfJson(bytes));
  } catch (error) {
    throw new Problem('InvalidInput', `The request body is not valid JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) throw new Problem('InvalidInput', 'The request body must be a JSON object.');
  return value;
}

export { isGuid as isUuid } from '../../../core/values/guid.js';

/** Collects the mistakes of a body, so that one answer reports all of them. */
export class Checks {
  private readonly details: ProblemDetail[] = [];

  /** @param code of the whole answer: `InvalidInput` for creations, `InvalidRequest` for changes. */
  constructor(private readonly code: string) {}

  fail(message: string): undefined {
    this.details.push({ errorCode: this.code, message });
    return undefined;
  }

  /** An optional id; null counts as absent. */
  uuid(name: string, value: unknown): string | undefined {
    if (value === undefined || value === null) return undefined;
    return isGuid(value) ? value.toLowerCase() : this.fail(`${name} must be a UUID.`);
  }

  /** An optional value by the description of its property; null counts as absent. */
  value<Schema extends TSchema>(name: string, value: unknown, schema: Schema): Static<Schema> | undefined {
    if (value === undefined || value === null) return undefined;
    const mistake = mistakeIn(schema, value);
    return mistake === undefined ? (value as Static<Schema>) : this.fail(`${name} is not allowed: ${mistake.words}.`);
  }

  /** @throws Problem when anything failed. */
  finish(): void {
    const [first, ...others] = this.details;
    if (first === undefined) return;
    throw new Problem(this.code, first.message, { moreDetails: others.length === 0 ? [] : this.details });
  }
}
