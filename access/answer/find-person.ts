import { CastellanError } from '../../core/errors/castellan-error.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import { visible } from '../../core/text/visible.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import type { Memberships } from '../directory/memberships.js';
import { declaredIn } from '../stack/references.js';

/**
 * The place of the person that a user means: by user principal name or id, by the stack's name of a principal, by mail address, by display
 * name, or by the part of the principal name before the @, where only one person has it.
 *
 * @throws CAS8301 for a person who isn't there, or for several.
 */
export function findPerson(given: string, memberships: Memberships, configs: readonly StackConfig[]): number {
  const wanted = given.trim().toLowerCase();
  const direct = memberships.placeOf(wanted);
  if (direct !== undefined) return direct;
  for (const { principals } of configs) {
    const place = memberships.placeOf(declaredIn(principals, given)?.user?.toLowerCase() ?? '');
    if (place !== undefined) return place;
  }
  const { people, source } = memberships.snapshot;
  const ways: ((body: (typeof people)[number]['body']) => string | undefined)[] = [
    ({ mail }) => mail?.toLowerCase(),
    ({ displayName }) => displayName?.toLowerCase(),
    ({ userPrincipalName }) => userPrincipalName?.toLowerCase().split('@')[0],
  ];
  for (const way of ways) {
    const found = people.flatMap(({ body }, place) => (way(body) === wanted ? [place] : []));
    if (found[0] !== undefined && found.length === 1) return found[0];
    const names = found.map((place) => people[place]?.body.userPrincipalName ?? people[place]?.id);
    if (found.length > 1)
      throw new CastellanError(
        'CAS8301',
        visible(`"${given}" can be ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}: give the user principal name`),
      );
  }
  const names = people.length > 50_000 ? [] : people.flatMap(({ body }) => [body.userPrincipalName ?? '', body.displayName ?? '']);
  throw new CastellanError('CAS8301', visible(`no person "${given}" in ${source}${didYouMean(nearest(given, names), '', ',')}`));
}
