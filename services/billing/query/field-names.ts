import { nearest } from '../../../core/text/nearest.js';
import { type Field, fieldsByName } from '../store/fields.js';
import { QuerySyntaxError } from '../errors.js';

/** Finds fields by the way they are written: bare or below `properties/`, letter case exact. */
export interface FieldNames {
  /** @throws QuerySyntaxError for a name that is no field, or one that is an object. */
  find(option: 'filter' | 'orderBy', name: string, position: number): Field;
}

/** The names of a dialect's fields. */
export function fieldNames(fields: readonly Field[]): FieldNames {
  const byName = fieldsByName(fields, '/');
  return {
    find(option, name, position) {
      const field = byName.get(name);
      if (field) return field;
      const member = [...byName.keys()].find((known) => known.startsWith(`${name}/`));
      if (member !== undefined)
        throw new QuerySyntaxError(option, position, `"${name}" is an object: name one of its fields, such as ${member}`);
      const suggestion = nearest(name, byName.keys());
      const hint = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`;
      throw new QuerySyntaxError(option, position, `"${name}" is not a field${hint}`);
    },
  };
}
