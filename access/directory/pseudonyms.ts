import { createHash, createHmac } from 'node:crypto';
import type { SeedEntry, SeedLists } from '../../services/common/seed.js';

/** The properties that name a person; all of them are replaced or removed. */
const nameProperties = ['displayName', 'givenName', 'surname', 'mailNickname'];
const addressProperties = ['userPrincipalName', 'mail'];
/** These are removed: the last one has the display name of a person within its text. */
const removedProperties = [
  'otherMails',
  'proxyAddresses',
  'imAddresses',
  'onPremisesDistinguishedName',
];
const replacedProperties: ReadonlySet<string> = new Set([
  ...nameProperties,
  ...addressProperties,
  ...removedProperties,
]);
/** A domain that nobody can own: `.example` is reserved (RFC 2606). */
const pseudonymDomain = 'pseudonym.example';

/** Options of pseudonyms. */
export interface PseudonymOptions {
  /**
   * The same key gives a person the same pseudonym each time; without the key, pseudonyms cannot be
   * resolved.
   */
  readonly key: string;
  /**
   * User principal names in configurations; they still find their people, because the seed has
   * their hashes.
   */
  readonly namedPeople: readonly string[];
  /** Properties that are not replaced. */
  readonly keptProperties: ReadonlySet<string>;
}

/**
 * Replaces the names and mail addresses of people; ids, groups and applications are not changed.
 */
export function withPseudonyms(
  { users = [], snapshot = [], ...otherLists }: SeedLists,
  options: PseudonymOptions,
): SeedLists {
  const isKept = (name: unknown): boolean =>
    options.keptProperties.has(String(name)) || !replacedProperties.has(String(name));
  const ids = new Map(
    users.map(({ id, userPrincipalName }) => [String(userPrincipalName).toLowerCase(), id]),
  );
  const named = Object.fromEntries(
    options.namedPeople.flatMap((name) =>
      ids.has(name.toLowerCase()) ? [[hashOfName(name), ids.get(name.toLowerCase())]] : [],
    ),
  );
  return {
    snapshot: snapshot.map(({ properties, ...entry }) => ({
      ...entry,
      ...(Array.isArray(properties) && { properties: properties.filter(isKept) }),
      named,
    })),
    users: users.map((user) => withPseudonym(user, options)),
    ...otherLists,
  };
}

/** The hash by which a person with a pseudonym is found. */
export function hashOfName(name: string): string {
  return createHash('sha256').update(name.toLowerCase()).digest('hex').slice(0, 24);
}

function withPseudonym(user: SeedEntry, { key, keptProperties }: PseudonymOptions): SeedEntry {
  const pseudonym = createHmac('sha256', key)
    .update(String(user['id']).toLowerCase())
    .digest('hex')
    .slice(0, 12);
  return Object.fromEntries(
    Object.entries(user).flatMap(([name, value]): [string, unknown][] => {
      if (!replacedProperties.has(name) || keptProperties.has(name)) return [[name, value]];
      if (removedProperties.includes(name)) return [];
      return [
        [
          name,
          addressProperties.includes(name)
            ? `person-${pseudonym}@${pseudonymDomain}`
            : `Person ${pseudonym}`,
        ],
      ];
    }),
  );
}
