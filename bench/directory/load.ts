import { randomUUID } from 'node:crypto';
import type { Database } from '../../services/common/database.js';
import { searchColumn } from '../../services/directory/odata/index.js';
import { relations } from '../../services/directory/store/relations.js';

/** How much the data set holds. */
export interface Size {
  readonly groups: number;
  readonly users: number;
  readonly memberships: number;
}

/** Objects to ask about. */
export interface Loaded {
  readonly groupIds: readonly string[];
  readonly userIds: readonly string[];
}

const departments = ['Sales', 'Finance', 'Engineering', 'Operations', 'Legal', 'Support', 'Research', 'Marketing'];

/**
 * Fills an empty directory in SQLite: users first, then groups, then memberships. Each user is in the same number of groups; every
 * hundredth group holds a chain of ten others, so that transitive questions have something to follow.
 */
export function load(database: Database, size: Size): Loaded {
  const sqlite = database.sqlite;
  if (!sqlite) throw new Error('the bench loads SQLite only');
  const object = sqlite.prepare(
    `insert into directory_object (number, id, type, version, display_name, mail, mail_nickname, user_principal_name, unique_name, app_id,
       alternate_key, expires_at, display_name_words, description_words, body) values (?, ?, ?, 1, ?, ?, ?, ?, null, null, null, null, ?, '', ?)`,
  );
  const link = sqlite.prepare('insert into directory_link (source, relation, target) values (?, ?, ?) on conflict do nothing');
  sqlite.pragma('synchronous = off');
  sqlite.pragma('cache_size = -1000000');
  // built-in objects stand already
  const { base } = sqlite.prepare('select coalesce(max(number), 0) as base from directory_object').get() as { base: number };
  const [userIds, groupIds]: [string[], string[]] = [[], []];
  const inSteps = (count: number, each: (index: number) => void): void => {
    for (let from = 0; from < count; from += 100_000)
      sqlite.transaction(() => {
        for (let index = from; index < Math.min(count, from + 100_000); index++) each(index);
      })();
  };
  inSteps(size.users, (index) => {
    const id = randomUUID();
    userIds.push(id);
    const name = `${departments[index % departments.length]} Person ${index}`;
    const mail = `person${index}@castellan.example`;
    const body = {
      displayName: name,
      mail,
      mailNickname: `person${index}`,
      userPrincipalName: mail,
      accountEnabled: true,
      userType: 'Member',
    };
    const words = searchColumn(name);
    object.run(base + index + 1, id, 'user', name.toLowerCase(), mail, `person${index}`, mail, words, JSON.stringify(body));
  });
  inSteps(size.groups, (index) => {
    const id = randomUUID();
    groupIds.push(id);
    const name = `${departments[index % departments.length]} Group ${index}`;
    const body = {
      displayName: name,
      mailNickname: `group${index}`,
      mailEnabled: false,
      securityEnabled: true,
      groupTypes: [],
      createdDateTime: '2026-01-15T10:00:00.000Z',
      renewedDateTime: '2026-01-15T10:00:00.000Z',
      visibility: 'Private',
    };
    object.run(
      base + size.users + index + 1,
      id,
      'group',
      name.toLowerCase(),
      null,
      `group${index}`,
      null,
      searchColumn(name),
      JSON.stringify(body),
    );
  });
  const perGroup = Math.floor(size.memberships / size.groups);
  inSteps(size.groups, (index) => {
    const group = base + size.users + index + 1;
    const first = (index * perGroup) % size.users;
    const targets = Array.from({ length: perGroup }, (_, at) => base + ((first + at) % size.users) + 1).sort((a, b) => a - b);
    for (const target of targets) link.run(group, relations.members, target);
    if (index % 100 === 0)
      for (let at = 1; at <= 10 && index + at < size.groups; at++) link.run(group + at - 1, relations.members, group + at);
  });
  sqlite.exec('analyze');
  sqlite.pragma('wal_checkpoint(truncate)');
  sqlite.pragma('synchronous = full');
  sqlite.pragma('cache_size = -65536');
  return { groupIds, userIds };
}
