import { createHash } from 'node:crypto';
import type { Database } from '../../services/common/database.js';
import { securityIdentifier } from '../../services/directory/groups/group-type.js';
import { searchableWords } from '../../services/directory/odata/index.js';
import { relations } from '../../services/directory/store/relations.js';

/** How many rows are inserted in one transaction. */
const transactionRows = 100_000;

/** The size of a data set. */
export interface Size {
  readonly groups: number;
  readonly users: number;
  /** How many in all; the chains of nested groups come on top. */
  readonly memberships: number;
}

const departments = [
  'Sales',
  'Finance',
  'Engineering',
  'Operations',
  'Legal',
  'Support',
  'Research',
  'Marketing',
];
const cities = ['Rome', 'Berlin', 'Oslo', 'Lima', 'Kyoto', 'Accra', 'Quito', 'Perth', 'Turin'];

/** The id of the n-th object of a kind: deterministic, and distributed like random ids. */
export function idOf(kind: 'user' | 'group', index: number): string {
  const hex = createHash('md5').update(`${kind} ${index}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/**
 * Fills an empty directory in SQLite: users first, then groups, then memberships. Each user is in
 * the same number of groups; every hundredth group starts a chain of ten others for transitive
 * queries.
 */
export function insertObjects(database: Database, size: Size): void {
  const sqlite = database.sqlite;
  if (!sqlite) throw new Error('the bench loads SQLite only');
  const insertObject = sqlite.prepare(
    `insert into directory_object (number, id, type, version, display_name, mail, mail_nickname, user_principal_name, unique_name, app_id,
       alternate_key, expires_at, display_name_words, description_words, body) values (?, ?, ?, 1, ?, ?, ?, ?, null, null, null, null, ?, '', ?)`,
  );
  const insertLink = sqlite.prepare(
    'insert into directory_link (source, relation, target) values (?, ?, ?) on conflict do nothing',
  );
  sqlite.exec('pragma synchronous = off');
  sqlite.exec('pragma cache_size = -1000000');
  // built-in objects exist already
  const { base: firstNumber } = sqlite
    .prepare('select coalesce(max(number), 0) as base from directory_object')
    .get() as { base: number };
  const inTransactions = (count: number, insert: (index: number) => void): void => {
    for (let from = 0; from < count; from += transactionRows)
      sqlite.transaction(() => {
        for (let index = from; index < Math.min(count, from + transactionRows); index++)
          insert(index);
      });
  };
  inTransactions(size.users, (index) => {
    const id = idOf('user', index);
    const department = departments[index % departments.length];
    const name = `${department} Person ${index}`;
    const mail = `person${index}@castellan.example`;
    const body = {
      accountEnabled: index % 50 !== 0,
      createdDateTime: '2026-01-15T10:00:00Z',
      userType: 'Member',
      securityIdentifier: securityIdentifier(id),
      proxyAddresses: [`SMTP:${mail}`],
      displayName: name,
      mail,
      userPrincipalName: mail,
      department,
      city: cities[index % cities.length],
      jobTitle: `Clerk ${index % 1000}`,
      mailNickname: `person${index}`,
    };
    insertObject.run([
      firstNumber + index + 1,
      id,
      'user',
      name.toLowerCase(),
      mail,
      `person${index}`,
      mail,
      searchableWords(name),
      JSON.stringify(body),
    ]);
  });
  inTransactions(size.groups, (index) => {
    const id = idOf('group', index);
    const name = `${departments[index % departments.length]} Group ${index}`;
    const body = {
      displayName: name,
      mailNickname: `group${index}`,
      mailEnabled: false,
      securityEnabled: true,
      groupTypes: [],
      createdDateTime: '2026-01-15T10:00:00.000Z',
      renewedDateTime: '2026-01-15T10:00:00.000Z',
      securityIdentifier: securityIdentifier(id),
      visibility: 'Private',
    };
    const number = firstNumber + size.users + index + 1;
    insertObject.run([
      number,
      id,
      'group',
      name.toLowerCase(),
      null,
      `group${index}`,
      null,
      searchableWords(name),
      JSON.stringify(body),
    ]);
  });
  const perGroup = Math.floor(size.memberships / size.groups);
  inTransactions(size.groups, (index) => {
    const group = firstNumber + size.users + index + 1;
    const first = (index * perGroup) % size.users;
    const targets = Array.from(
      { length: perGroup },
      (_, index) => firstNumber + ((first + index) % size.users) + 1,
    ).sort((a, b) => a - b);
    for (const target of targets) insertLink.run([group, relations.members, target]);
    if (index % 100 === 0)
      for (let offset = 1; offset <= 10 && index + offset < size.groups; offset++)
        insertLink.run([group + offset - 1, relations.members, group + offset]);
  });
  sqlite.exec('pragma wal_checkpoint(truncate)');
}
