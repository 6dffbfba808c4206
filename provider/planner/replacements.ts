import type { Body } from '../schemas/schema.js';
import { equalValues } from '../values/equal.js';
import type { Path } from '../values/path.js';
import type { Value } from '../values/value.js';
import { isMap } from '../values/value.js';
import { elementAt, elementsOf, fieldsOf } from './fields.js';

/** The paths whose planned change can't be made in place. A value that is not known yet counts as a change. */
export function replacements(body: Body, prior: Value | undefined, planned: Value, path: Path = []): Path[] {
  if (!isMap(planned)) return [];
  const before = isMap(prior) ? prior : undefined;
  return fieldsOf(body).flatMap((field): Path[] => {
    const at = [...path, field.name];
    const [was, becomes] = [before?.[field.name] ?? null, planned[field.name] ?? null];
    if (equalValues(was, becomes, field.type)) return [];
    if (field.forceNew) return [at];
    if (field.inside === undefined) return [];
    const { nesting, body: inner } = field.inside;
    if (nesting === 'set') return hasForceNew(inner) ? [at] : [];
    return elementsOf(becomes, nesting, at).flatMap((element) =>
      replacements(inner, elementAt(was, nesting, element.key), element.value, element.path),
    );
  });
}

function hasForceNew(body: Body): boolean {
  return fieldsOf(body).some((field) => field.forceNew || (field.inside !== undefined && hasForceNew(field.inside.body)));
}
