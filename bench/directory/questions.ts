import { relations } from '../../services/directory/store/relations.js';
import type { Loaded } from './load.js';

/** One question, asked of the service and as bare SQL. */
export interface Question {
  readonly name: string;
  /** The request for the n-th asking. */
  readonly request: (index: number, data: Loaded) => { readonly method: 'GET' | 'POST'; readonly url: string; readonly payload?: string };
  readonly sql: string;
  readonly parameters: (index: number, data: Loaded) => readonly (string | number)[];
}

const members = relations.members;
const columns = 'o.number, o.id, o.type, o.version, o.body';
const pick = <T>(list: readonly T[], index: number): T => list[(index * 7919) % list.length] as T;
const groupNumber = '(select number from directory_object where id = ?)';

/** The questions of the published budget. */
export const questions: readonly Question[] = [
  {
    name: 'get by id',
    request: (index, { groupIds }) => ({ method: 'GET', url: `/v1.0/groups/${pick(groupIds, index)}` }),
    sql: `select ${columns} from directory_object o where o.id = ?`,
    parameters: (index, { groupIds }) => [pick(groupIds, index)],
  },
  {
    name: 'first page',
    request: () => ({ method: 'GET', url: '/v1.0/groups' }),
    sql: `select ${columns} from directory_object o where o.type = 'group' order by o.number limit 101`,
    parameters: () => [],
  },
  {
    name: 'displayName prefix',
    request: (index) => ({
      method: 'GET',
      url: `/v1.0/groups?$filter=${encodeURIComponent(`startsWith(displayName,'Sales Group ${index % 1000}')`)}`,
    }),
    sql: `select ${columns} from directory_object o where o.type = 'group' and o.display_name >= ? and o.display_name < ? order by o.number limit 101`,
    parameters: (index) => [`sales group ${index % 1000}`, `sales group ${index % 1000}\u{10ffff}`],
  },
  {
    name: 'members page',
    request: (index, { groupIds }) => ({ method: 'GET', url: `/v1.0/groups/${pick(groupIds, index)}/members` }),
    sql: `select ${columns} from directory_link l join directory_object o on o.number = l.target
      where l.source = ${groupNumber} and l.relation = ${members} order by l.target limit 101`,
    parameters: (index, { groupIds }) => [pick(groupIds, index)],
  },
  {
    name: 'checkMemberGroups',
    request: (index, { groupIds, userIds }) => ({
      method: 'POST',
      url: `/v1.0/users/${pick(userIds, index)}/checkMemberGroups`,
      payload: JSON.stringify({ groupIds: groupIds.slice(index % 1000, (index % 1000) + 20) }),
    }),
    sql: `with recursive up(number) as (select source from directory_link where target = ${groupNumber} and relation in (1, 6, 7)
      union select l.source from up join directory_link l on l.target = up.number and l.relation in (1, 6, 7))
      select o.id from up join directory_object o on o.number = up.number where o.type = 'group'
        and o.id in (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
    parameters: (index, { groupIds, userIds }) => [pick(userIds, index), ...groupIds.slice(index % 1000, (index % 1000) + 20)],
  },
  {
    name: 'transitiveMembers',
    request: (index, { groupIds }) => ({
      method: 'GET',
      url: `/v1.0/groups/${groupIds[(index * 100) % groupIds.length]}/transitiveMembers`,
    }),
    sql: `with recursive down(number) as (select target from directory_link where source = ${groupNumber} and relation = ${members}
      union select l.target from down join directory_link l on l.source = down.number and l.relation = ${members})
      select ${columns} from down join directory_object o on o.number = down.number order by o.number limit 101`,
    parameters: (index, { groupIds }) => [groupIds[(index * 100) % groupIds.length] as string],
  },
];
