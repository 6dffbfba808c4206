import { omitUndefined } from '../../../../core/values/omit-undefined.js';
import type { User } from '../../../../clients/directory/index.js';
import type { DataSourceHandler } from '../../handler.js';
import { isTrue } from '../../read-values.js';
import { collectIds } from '../listing.js';
import { flattenUser, userAttributes, userSelect } from '../user.js';
import { equalsFilter, findEach, findOne, type LookupKeys, listId } from './lookups.js';

const lookupKeys: LookupKeys = {
  user_principal_name: ['UPN', equalsFilter('userPrincipalName')],
  mail: ['mail', equalsFilter('mail')],
  mail_nickname: ['mail alias', equalsFilter('mailNickname')],
  employee_id: ['employee ID', equalsFilter('employeeId')],
};

/** The data source azuread_user. */
export const userData: DataSourceHandler = async ({ api, config, signal }) => {
  const { users } = api.directory;
  const { id } = await findOne(config, { objects: users, noun: 'User', keys: lookupKeys, signal });
  const user = await users.get(id, { select: userSelect, signal });
  return { ...flattenUser(user), manager_id: (await users.manager(id, { signal }))?.id ?? '' };
};

/**
 * The attributes of each user in the list, besides its object id and whether its account is
 * enabled.
 */
const listedAttributes = [
  'display_name',
  'employee_id',
  'mail',
  'mail_nickname',
  'onpremises_immutable_id',
  'onpremises_sam_account_name',
  'onpremises_user_principal_name',
  'usage_location',
  'user_principal_name',
] as const;
const selectedProperties = [
  'id',
  'accountEnabled',
  ...listedAttributes.map((name) => userAttributes[name]),
];

/** The data source azuread_users. */
export const usersData: DataSourceHandler = async ({ api, config, signal }) => {
  const { users } = api.directory;
  const getUsers = async (filter?: string): Promise<User[]> => {
    const ids = await collectIds(users.list({ signal, ...omitUndefined({ filter }) }));
    return Promise.all(ids.map((id) => users.get(id, { select: selectedProperties, signal })));
  };
  const byKey = Object.entries(lookupKeys).map(
    ([name, [label, filter]]) =>
      [`${name}s`, [label, (value: string) => getUsers(filter(value))]] as const,
  );
  const matches = isTrue(config, 'return_all')
    ? await getUsers()
    : await findEach<User>(
        config,
        'user',
        {
          object_ids: [
            'object ID',
            async (id) => [await users.find(id, { select: selectedProperties, signal })],
          ],
          ...Object.fromEntries(byKey),
        },
        (label, value) => `User with ${label} "${value}" was not found`,
      );
  const attributesOfUsers = matches.map(flattenUser);
  const ids = matches.map(({ id }) => id);
  return {
    id: listId('users', ids),
    object_ids: ids,
    ...Object.fromEntries(
      Object.keys(lookupKeys).map((name) => [
        `${name}s`,
        attributesOfUsers.map((each) => each[name] ?? ''),
      ]),
    ),
    users: attributesOfUsers.map((each) =>
      Object.fromEntries(
        ['account_enabled', 'object_id', ...listedAttributes].map((name) => [
          name,
          each[name] ?? null,
        ]),
      ),
    ),
  };
};
