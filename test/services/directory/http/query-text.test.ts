import fc from 'fast-check';
import { readQuery } from '../../../../services/directory/http/query-text.js';
import { runs } from '../../../support/property-tests.js';

/** The same by the platform's own means. */
function plainly(query: string): Record<string, string | string[]> {
  const names = new URLSearchParams(query);
  return Object.fromEntries(
    [...names.keys()].map((name) => [name, names.getAll(name).length > 1 ? names.getAll(name) : (names.get(name) ?? '')]),
  );
}

const part = fc.oneof(
  fc.constantFrom('&', '=', '+', '%20', '%', '%ff', '%C3%A9', '%EF%BB%BF', '%ED%A0%80', '$filter', '%24top', '__proto_', "'a b'", '#', '?'),
  fc.string({ maxLength: 3 }),
);

describe('a query', () => {
  it('is read as the platform reads it, whatever is wrong with it', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        // what reaches a server is ASCII, and a leading question mark has been cut off
        const query = parts.join('').replace(/[^\x20-\x7e]|^\?+/g, '');
        expect({ ...readQuery(query) }).toEqual(plainly(query));
      }),
      { numRuns: runs(2000) },
    );
  });
});
