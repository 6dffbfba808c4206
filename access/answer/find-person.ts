import { CastellanError } from '../../core/errors/castellan-error.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import { escapeControlCharacters } from '../../core/text/control-characters.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import type { Memberships } from '../directory/memberships.js';
import { findDeclared } from '../stack/references.js';

/**
 * Finds a person by user principal name or id, by the stack's name of a principal, by mail address,
 * by display name, or by the part of the principal name before the @ if it is unique.
 *
 * @returns the index of the person in the snapshot.
 * @throws CAS8301 for an unknown or ambiguous person.
 */
export function findPerson(
  text: string,
  memberships: Memberships,
  configs: readonly StackConfig[],
): number {
  const search = text.trim().toLowerCase();
  const direct = memberships.personIndexOf(search);
  if (direct !== undefined) return direct;
  for (const { principals } of configs) {
    const personIndex = memberships.personIndexOf(
      findDeclared(principals, text)?.user?.toLowerCase() ?? '',
    );
    if (personIndex !== undefined) return personIndex;
  }
  const { people, source } = memberships.snapshot;
  const searchKeys: ((body: (typeof people)[number]['body']) => string | undefined)[] = [
    ({ mail }) => mail?.toLowerCase(),
    ({ displayName }) => displayName?.toLowerCase(),
    ({ userPrincipalName }) => userPrincipalName?.toLowerCase().split('@')[0],
  ];
  for (const searchKey of searchKeys) {
    const matches = people.flatMap(({ body }, personIndex) =>
      searchKey(body) === search ? [personIndex] : [],
    );
    if (matches[0] !== undefined && matches.length === 1) return matches[0];
    const names = matches.map(
      (personIndex) => people[personIndex]?.body.userPrincipalName ?? people[personIndex]?.id,
    );
    if (matches.length > 1)
      throw new CastellanError(
        'CAS8301',
        escapeControlCharacters(
          `"${text}" can be ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}: give the user principal name`,
        ),
      );
  }
  const names =
    people.length > 50_000
      ? []
      : people.flatMap(({ body }) => [body.userPrincipalName ?? '', body.displayName ?? '']);
  throw new CastellanError(
    'CAS8301',
    escapeControlCharacters(
      `no person "${text}" in ${source}${didYouMean(nearest(text, names), '', ',')}`,
    ),
  );
}
