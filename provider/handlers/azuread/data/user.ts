import type { User } from '../../../../clients/directory/index.js';
import { type Context, type DataSourceHandler, ProviderFailure } from '../../handler.js';
import { flag, mustText, text, texts } from '../../read-values.js';
import { idsOf, unlessGone } from '../listing.js';
import { flattenUser, userSelect } from '../user-properties.js';
import { equals, listId, theOnly } from './find-one.js';

/** What a user can be looked up by: the attribute, the property, and what a message calls it. */
const lookups = {
  user_principal_name: ['userPrincipalName', 'UPN'],
  mail: ['mail', 'mail'],
  mail_nickname: ['mailNickname', 'mail alias'],
  employee_id: ['employeeId', 'employee ID'],
} as const;

/** The data source azuread_user. */
export const userData: DataSourceHandler = async ({ config, ...context }) => {
  const { users } = context.api.directory;
  const { signal } = context;
  const user = await users.get(await lookUp(config, context), { select: userSelect, signal });
  return { ...flattenUser(user), manager_id: (await users.manager(user.id, { signal }))?.id ?? '' };
};

async function lookUp(config: Parameters<DataSourceHandler>[0]['config'], { api, signal }: Context): Promise<string> {
  const objectId = text(config, 'object_id');
  if (objectId !== undefined) {
    if ((await api.directory.users.find(objectId, { signal })) === undefined)
      throw new ProviderFailure(`User with object ID "${objectId}" was not found`);
    return objectId;
  }
  for (const [attribute, [property, called]] of Object.entries(lookups)) {
    const value = text(config, attribute);
    if (value !== undefined)
      return (await theOnly(api.directory.users.list({ filter: equals(property, value), signal }), `User with ${called} "${value}"`)).id;
  }
  throw new ProviderFailure('One of `object_id`, `user_principal_name`, `mail_nickname`, `mail` or `employee_id` must be specified');
}

const listLookups = {
  user_principal_names: 'user_principal_name',
  mails: 'mail',
  mail_nicknames: 'mail_nickname',
  employee_ids: 'employee_id',
} as const;
const select = [
  'id',
  'accountEnabled',
  'displayName',
  'employeeId',
  'mail',
  'mailNickname',
  'onPremisesImmutableId',
  'onPremisesSamAccountName',
  'onPremisesUserPrincipalName',
  'usageLocation',
  'userPrincipalName',
];

/** The data source azuread_users. */
export const usersData: DataSourceHandler = async ({ config, ...context }) => {
  const found = await findUsers(config, context);
  const of = (name: string): string[] => found.map((user) => mustText(flattenUser(user) as Readonly<Record<string, string>>, name));
  return {
    id: listId(
      'users',
      found.map(({ id }) => id),
    ),
    object_ids: found.map(({ id }) => id),
    user_principal_names: of('user_principal_name'),
    mails: of('mail'),
    mail_nicknames: of('mail_nickname'),
    employee_ids: of('employee_id'),
    users: found.map((user) => {
      const all = flattenUser(user);
      const names = [
        'account_enabled',
        'display_name',
        'employee_id',
        'mail',
        'mail_nickname',
        'object_id',
        'onpremises_immutable_id',
        'onpremises_sam_account_name',
        'onpremises_user_principal_name',
        'usage_location',
        'user_principal_name',
      ];
      return Object.fromEntries(names.map((name) => [name, all[name] ?? null]));
    }),
  };
};

async function findUsers(config: Parameters<DataSourceHandler>[0]['config'], { api, signal }: Context): Promise<User[]> {
  const { users } = api.directory;
  if (flag(config, 'return_all')) return Promise.all((await idsOf(users.list({ signal }))).map((id) => users.get(id, { select, signal })));
  const skip = flag(config, 'ignore_missing');
  const found: User[] = [];
  for (const id of texts(config, 'object_ids')) {
    const user = await unlessGone(users.get(id, { select, signal }));
    if (user !== undefined) found.push(user);
    else if (!skip) throw new ProviderFailure(`User with object ID "${id}" was not found`);
  }
  for (const [list, attribute] of Object.entries(listLookups))
    for (const value of texts(config, list)) {
      const [property, called] = lookups[attribute];
      const ids = await idsOf(users.list({ filter: equals(property, value), signal }));
      const [id] = ids;
      if (id === undefined && !skip) throw new ProviderFailure(`User with ${called} "${value}" was not found`);
      if (ids.length > 1) throw new ProviderFailure(`More than one user found with ${called}: "${value}"`);
      if (id !== undefined) found.push(await users.get(id, { select, signal }));
    }
  return found;
}
