import { CastellanError } from '../../core/errors/castellan-error.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import { escapeControlCharacters } from '../../core/text/control-characters.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import type { Memberships } from '../directory/memberships.js';
import type { PersonRecord } from '../directory/records.js';
import { findDeclared } from '../stack/reference-resolver.js';

/** With more people than this, the search for the closest name would take seconds. */
const maxComparedPeople = 50_000;

/** The most people that the message about an ambiguous name lists. */
const maxListedNames = 5;

/**
 * Finds a person by user principal name or id, by a stack's name of a principal, by mail address, by
 * display name, or by the part of the principal name before the @, in this order; in any letter
 * case, except for the stack's names.
 *
 * @returns the index of the person in the snapshot.
 * @throws CAS8301 for an unknown or ambiguous person.
 */
export function findPersonIndex(
  text: string,
  memberships: Memberships,
  configs: readonly StackConfig[],
): number {
  const name = text.trim();
  const search = name.toLowerCase();
  const namedIndex = memberships.personIndexOf(search);
  if (namedIndex !== undefined) return namedIndex;
  const { people, source } = memberships.snapshot;
  const indexesOf = (nameOf: (body: PersonRecord['body']) => string | null | undefined) =>
    people.flatMap(({ body }, index) => (nameOf(body)?.toLowerCase() === search ? [index] : []));
  const searches = [
    () => principalIndexes(name, memberships, configs),
    () => indexesOf(({ mail }) => mail),
    () => indexesOf(({ displayName }) => displayName),
    () => indexesOf(({ userPrincipalName }) => userPrincipalName?.split('@')[0]),
  ];
  for (const findIndexes of searches) {
    const [index, ...others] = findIndexes();
    if (index === undefined) continue;
    if (others.length === 0) return index;
    throw personError(`"${text}" can be ${listPeople([index, ...others], memberships)}`);
  }
  const names =
    people.length > maxComparedPeople
      ? []
      : people.flatMap(({ body }) => [body.userPrincipalName ?? '', body.displayName ?? '']);
  const hint = didYouMean(nearest(name, names), undefined, ',');
  throw personError(`no person "${text}" in ${source}${hint}`);
}

/** The people whom stacks call by a name among their principals. */
function principalIndexes(
  name: string,
  memberships: Memberships,
  configs: readonly StackConfig[],
): readonly number[] {
  const indexes = configs.flatMap(({ principals }) => {
    const user = findDeclared(principals, name)?.user;
    return user === undefined ? [] : (memberships.personIndexOf(user.toLowerCase()) ?? []);
  });
  return [...new Set(indexes)];
}

function listPeople(indexes: readonly number[], memberships: Memberships): string {
  const names = indexes.slice(0, maxListedNames).map((index) => {
    const { id, body } = memberships.person(index);
    return body.userPrincipalName ?? id;
  });
  const more = indexes.length > maxListedNames ? ', …' : '';
  return `${names.join(', ')}${more}: give the user principal name`;
}

function personError(message: string): CastellanError {
  return new CastellanError('CAS8301', escapeControlCharacters(message));
}
