import type { TSchema } from '@sinclair/typebox';
import type { Mapping } from '../../kinds/schema/mapping.js';
import { mistakeIn } from '../../kinds/schema/find-mistake.js';
import { valueAtPath } from '../../kinds/schema/path-steps.js';
import { type ArmError, badRequest } from './errors.js';

/** Error codes by property path, `''` for all; a property has that of the closest path above it. */
export type ErrorCodes = Readonly<Record<string, string>>;

/**
 * Checks the properties of a request against the schemas of a kind's description.
 *
 * @param mappings where each described property is in the request.
 * @param properties the properties of the request.
 * @param pathPrefix the start of the paths in messages.
 * @throws ArmError 400 for the first value that the description does not allow.
 */
export function checkProperties(
  mappings: readonly Mapping[],
  properties: unknown,
  codes: ErrorCodes,
  pathPrefix = 'properties',
): void {
  for (const { attribute, schema, read } of mappings) {
    const input = valueAtPath(properties, attribute) ?? undefined;
    const isSection = schema?.['properties'] !== undefined && typeof input === 'object';
    if (input === undefined || isSection || schema === undefined) continue;
    const declared = read === undefined ? input : read(input);
    const mistake = declared === undefined ? undefined : mistakeIn(schema, declared);
    if (mistake === undefined) continue;
    const path = attribute.filter((step) => typeof step === 'string' && step !== '*').join('.');
    if (mistake.keyword === 'type') throw malformed(`${pathPrefix}.${path}`, mistake.message);
    const value = typeof input === 'object' ? '' : ` '${String(input)}'`;
    throw badRequest(
      closestErrorCode(path, codes),
      `Invalid ${pathPrefix}.${path}${value}: ${mistake.message}.`,
    );
  }
}

/**
 * Checks the name of a resource against its schema.
 *
 * @param kind the kind of resource, for the message.
 * @throws ArmError 400 with this code.
 */
export function checkResourceName(schema: TSchema, name: string, kind: string, code: string): void {
  const mistake = mistakeIn(schema, name);
  if (mistake !== undefined)
    throw badRequest(code, `Invalid ${kind} name '${name}': ${mistake.message}.`);
}

function malformed(path: string, problem: string): ArmError {
  return badRequest(
    'InvalidRequestContent',
    `The request content was invalid and could not be deserialized: '${path}': ${problem}.`,
  );
}

function closestErrorCode(path: string, codes: ErrorCodes): string {
  const enclosingPaths = Object.keys(codes).filter(
    (each) => each === '' || path === each || path.startsWith(`${each}.`),
  );
  const [innermost = ''] = enclosingPaths.sort((left, right) => right.length - left.length);
  return codes[innermost] ?? 'InvalidRequestContent';
}
