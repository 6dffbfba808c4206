import { relations } from '../../services/directory/store/relations.js';
import { idOf, type Size } from './load.js';

/** The request by which a query is sent to the service. */
export interface QueryRequest {
  readonly method: 'GET' | 'POST';
  /** From `/v1.0` on, with the query. */
  readonly url: string;
  /** The body, as JSON text. */
  readonly payload?: string;
  /** Sends `ConsistencyLevel: eventual`. */
  readonly eventual?: true;
}

/** The bare SQL of a query, with the parameters of the n-th request. */
export interface BareSql {
  readonly text: string;
  readonly parameters: (index: number, size: Size) => readonly (string | number)[];
}

/** A query of the service and, if its time has a bar, the bare SQL that answers it. */
export interface BenchmarkQuery {
  readonly name: string;
  /** The n-th request, so that each asks about other objects. */
  readonly request: (index: number, size: Size) => QueryRequest;
  /**
   * The bare SQL with which the query is compared. A query without it is only compared at both
   * sizes: its time must not grow.
   */
  readonly sql?: BareSql;
}

const { members, unitMembers, roleMembers } = relations;
/** The relations by which an object is a member of another. */
const memberships = [members, unitMembers, roleMembers].join(', ');
/** A page of 100 rows, and one more that shows whether there is a next page. */
const pageRows = 101;
const columns = 'o.number, o.id, o.type, o.version, o.body';
/** The number of the group whose id is the next parameter. */
const groupNumberSql = '(select number from directory_object where id = ?)';
/** A prime: multiples of it, modulo the size, visit the objects in no order. */
const stride = 7919;
const group = (index: number, size: Size): string => idOf('group', (index * stride) % size.groups);
const user = (index: number, size: Size): string => idOf('user', (index * stride) % size.users);
/** A group that starts a chain of nested groups: one in a hundred. */
const chainStart = (index: number, size: Size): string =>
  idOf('group', (index * 100) % size.groups);
/** The ids of 20 groups, for `checkMemberGroups`. */
const checkedGroups = (index: number): string[] =>
  Array.from({ length: 20 }, (_, offset) => idOf('group', (index % 500) + offset));
const get = (url: string): QueryRequest => ({ method: 'GET', url: `/v1.0${url}` });
/** An advanced query of Graph, which needs `ConsistencyLevel: eventual`. */
const getEventual = (url: string): QueryRequest => ({ ...get(url), eventual: true });
const filter = (text: string): string => `$filter=${encodeURIComponent(text)}`;
const prefix = (index: number): string => `sales group ${index % 1000}`;

/**
 * The queries whose times have a bar in docs/benchmarks.md. The bare SQL is what one would write by
 * hand for the same answer.
 */
const queriesWithBar: readonly BenchmarkQuery[] = [
  {
    name: 'get by id',
    request: (index, size) => get(`/groups/${group(index, size)}`),
    sql: {
      text: `select ${columns} from directory_object o where o.id = ?`,
      parameters: (index, size) => [group(index, size)],
    },
  },
  {
    name: 'first page',
    request: () => get('/groups'),
    sql: {
      text: `select ${columns} from directory_object o where o.type = 'group' order by o.number limit ${pageRows}`,
      parameters: () => [],
    },
  },
  {
    name: 'displayName prefix',
    request: (index) => get(`/groups?${filter(`startsWith(displayName,'${prefix(index)}')`)}`),
    sql: {
      text: `select ${columns} from directory_object o where o.type = 'group' and o.display_name >= ? and o.display_name < ?
        order by o.display_name limit ${pageRows}`,
      parameters: (index) => [prefix(index), `${prefix(index)}\u{10ffff}`],
    },
  },
  {
    name: 'members page',
    request: (index, size) => get(`/groups/${group(index, size)}/members`),
    sql: {
      text: `select ${columns} from directory_link l join directory_object o on o.number = l.target
        where l.source = ${groupNumberSql} and l.relation = ${members} order by l.target limit ${pageRows}`,
      parameters: (index, size) => [group(index, size)],
    },
  },
  {
    name: 'checkMemberGroups',
    request: (index, size) => ({
      method: 'POST',
      url: `/v1.0/users/${user(index, size)}/checkMemberGroups`,
      payload: JSON.stringify({ groupIds: checkedGroups(index) }),
    }),
    sql: {
      text: `with recursive up(number) as (select source from directory_link where target = ${groupNumberSql} and relation in (${memberships})
        union select l.source from up join directory_link l on l.target = up.number and l.relation in (${memberships}))
        select o.id from directory_object o where o.type = 'group'
          and o.id in (${Array.from({ length: 20 }, () => '?').join(',')}) and o.number in (select number from up)`,
      parameters: (index, size) => [user(index, size), ...checkedGroups(index)],
    },
  },
  {
    name: 'transitiveMembers',
    request: (index, size) => get(`/groups/${chainStart(index, size)}/transitiveMembers`),
    sql: {
      text: `with recursive down(number) as (select target from directory_link where source = ${groupNumberSql} and relation = ${members}
        union select l.target from down join directory_link l on l.source = down.number and l.relation = ${members})
        select ${columns} from directory_object o where o.number in (select number from down) order by o.number limit ${pageRows}`,
      parameters: (index, size) => [chainStart(index, size)],
    },
  },
];

/** More queries whose time must not grow with the size of the directory. */
const otherQueries: readonly BenchmarkQuery[] = [
  {
    name: 'user by principal name',
    request: (index, size) =>
      get(`/users/person${(index * stride) % size.users}@castellan.example`),
  },
  {
    name: 'filter by mail',
    request: (index, size) =>
      get(`/users?${filter(`mail eq 'person${(index * stride) % size.users}@castellan.example'`)}`),
  },
  { name: 'memberOf', request: (index, size) => get(`/users/${user(index, size)}/memberOf`) },
  {
    name: 'transitiveMemberOf',
    request: (index, size) => get(`/users/${user(index, size)}/transitiveMemberOf`),
  },
  {
    name: 'getMemberGroups',
    request: (index, size) => ({
      method: 'POST',
      url: `/v1.0/users/${user(index, size)}/getMemberGroups`,
      payload: '{}',
    }),
  },
  {
    name: 'ordered by displayName',
    request: () => get('/users?$orderby=displayName%20desc&$select=id,displayName'),
  },
  {
    name: 'a page in the middle',
    request: (_, size) =>
      get(
        `/users?$skiptoken=${Buffer.from(`[${Math.round(size.users / 2)}]`).toString('base64url')}`,
      ),
  },
  {
    name: 'search by a rare word',
    request: (index) =>
      getEventual(`/groups?$search=${encodeURIComponent(`"displayName:nobody${index}"`)}`),
  },
  {
    name: 'search by a common word',
    request: () => getEventual(`/groups?$search=${encodeURIComponent('"displayName:sales"')}`),
  },
  { name: 'filter by department', request: () => get(`/users?${filter("department eq 'legal'")}`) },
  {
    name: 'filter by an absent department',
    request: (index) => get(`/users?${filter(`department eq 'nowhere${index}'`)}`),
  },
  { name: 'delta, first page', request: () => get('/groups/delta') },
];

/** All queries. */
export const benchmarkQueries: readonly BenchmarkQuery[] = [...queriesWithBar, ...otherQueries];
