import { sql } from 'kysely';
import type { SeedEntry } from '../../common/seed.js';
import { permit } from '../authorization/access.js';
import type { Directory } from '../kernel/directory.js';
import type { DirectoryModule } from '../directory-module.js';
import {
  badRequest,
  objectConflict,
  invalidProperty,
  objectNotFound,
  ok,
  type Reply,
} from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import { propertyTypes, requireKnownProperties } from '../kernel/body-properties.js';
import { typeOfCast } from '../kernel/navigation-routes.js';
import { listObjects } from '../kernel/object-list.js';
import { addRecordOperations, presentRecord } from '../kernel/record-operations.js';
import { foldCase } from '../odata/index.js';
import type { StoredRecord } from '../store/records.js';
import type { Fragment } from '../store/sql.js';
import type { Body } from '../store/objects.js';

/** The collection of the tenant's domains, by name. */
export const domainCollection = 'domains';

/** All domains: the default one first, then by name. */
export async function listDomains(directory: Directory): Promise<readonly StoredRecord[]> {
  const domains = await directory.records.list(domainCollection, '');
  return [...domains].sort((a, b) => Number(b.body['isDefault']) - Number(a.body['isDefault']));
}

/** The folded domain names that user principal names may use. */
export async function verifiedDomains(directory: Directory): Promise<ReadonlySet<string>> {
  return new Set(
    (await listDomains(directory))
      .filter(({ body }) => body['isVerified'] === true)
      .map(({ id }) => foldCase(id)),
  );
}

/** The name of the domain that new mail addresses of groups get. */
export async function nameOfDefaultDomain({ records, tenant }: Directory): Promise<string> {
  const domain = await records.findWith(domainCollection, '', { isDefault: true });
  return domain?.id ?? tenant.defaultDomain;
}

/** The properties of a new domain. */
export function domainBody(options: {
  readonly isVerified: boolean;
  readonly isDefault?: boolean;
  readonly isInitial?: boolean;
}): Body {
  return {
    authenticationType: 'Managed',
    availabilityStatus: null,
    isAdminManaged: true,
    isDefault: options.isDefault ?? false,
    isInitial: options.isInitial ?? false,
    isRoot: true,
    isVerified: options.isVerified,
    passwordNotificationWindowInDays: 14,
    passwordValidityPeriodInDays: 90,
    state: null,
    supportedServices: options.isVerified ? ['Email', 'OfficeCommunicationsOnline'] : [],
  };
}

/** Whether live users have the domain in their user principal names. */
async function hasUsers({ sql: database }: Directory, domain: string): Promise<boolean> {
  const condition = sql`o.type = 'user' and ${addressInDomainCondition(sql`o.user_principal_name`, domain)}`;
  return (
    (await database.count(
      sql`select count(*) as count from directory_object o where ${condition}`,
    )) > 0
  );
}

/** The SQL condition that a lookup column has an address or name in a domain. */
function addressInDomainCondition(column: Fragment, domain: string): Fragment {
  const ending = foldCase(`@${domain}`);
  return sql`substr(${column}, length(${column}) - ${[...ending].length - 1}) = ${ending}`;
}

/** Lists the users and groups whose principal name or mail address is in the domain of the path. */
async function listReferencesToDomain(request: DirectoryRequest): Promise<Reply> {
  const name = request.parameter('id').toLowerCase();
  if (!(await request.directory.records.get(domainCollection, '', name)))
    throw objectNotFound(name);
  const type = typeOfCast(request);
  const andTypeCondition = type ? sql` and o.type = ${type.name}` : sql``;
  const columns = [sql`o.user_principal_name`, sql`o.mail`];
  const inDomainCondition = sql.join(
    columns.map((column) => addressInDomainCondition(column, name)),
    sql` or `,
  );
  const where = sql`o.type in ('user', 'group') and (${inDomainCondition})${andTypeCondition}`;
  return listObjects(request, {
    source: { from: sql`directory_object o`, where },
    masksUnreadable: true,
    ...(type && { type, hasCast: true }),
  });
}

/** Stores a domain. */
export function putDomain(directory: Directory, name: string, body: Body): Promise<StoredRecord> {
  return directory.records.put(domainCollection, '', name, body, name);
}

/** Adds the domains of seeded users' principal names, as verified domains. */
export async function addSeededDomains(
  directory: Directory,
  users: readonly SeedEntry[],
): Promise<void> {
  const names = users.map((user) =>
    /@([^@\s]+)$/.exec(String(user['userPrincipalName'] ?? ''))?.[1]?.toLowerCase(),
  );
  for (const name of new Set(names))
    if (name !== undefined && !(await directory.records.get(domainCollection, '', name)))
      await putDomain(directory, name, domainBody({ isVerified: true }));
}

const readAccess = permit([
  'Domain.Read.All',
  'Domain.ReadWrite.All',
  'Directory.Read.All',
  'Directory.ReadWrite.All',
]);
const writeAccess = permit(['Domain.ReadWrite.All', 'Directory.ReadWrite.All'], {
  roles: ['globalAdministrator'],
});
const dnsNamePattern =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

/** The properties of a domain that a change may set. */
const changeableProperties = {
  isDefault: 'boolean',
  passwordNotificationWindowInDays: 'integer',
  passwordValidityPeriodInDays: 'integer',
  supportedServices: 'strings',
} as const;

/** @throws DirectoryError 400 for a property that cannot be set, or not to this value. */
function checkDomainChange({ body }: StoredRecord, values: Body): void {
  requireKnownProperties(values, Object.keys(changeableProperties), 'a domain');
  for (const [name, type] of Object.entries(changeableProperties)) {
    const { matches, expectation } = propertyTypes[type];
    if (values[name] !== undefined && !matches(values[name]))
      throw invalidProperty(name, `${expectation} is expected`);
  }
  const { isDefault } = values;
  if (isDefault === true && body['isVerified'] !== true)
    throw badRequest('Only a verified domain can be made the default one.', 'isDefault');
  if (isDefault === false && body['isDefault'] === true)
    throw badRequest(
      'The default domain changes when another one is made the default.',
      'isDefault',
    );
}

/** The tenant's domains. Every tenant has one that is initial and default. */
export const domainsModule: DirectoryModule = {
  routes(router) {
    addRecordOperations(router, {
      path: '/domains',
      read: readAccess,
      write: writeAccess,
      list: ({ directory }) => listDomains(directory),
      create: async ({ directory }, { id }) => {
        if (typeof id !== 'string' || !dnsNamePattern.test(id))
          throw invalidProperty('id', 'a domain name is expected');
        const name = id.toLowerCase();
        if (await directory.records.get(domainCollection, '', name))
          throw objectConflict(`The domain '${name}' already exists.`, 'id');
        return putDomain(directory, name, domainBody({ isVerified: false }));
      },
      change: async ({ directory }, domain, values) => {
        checkDomainChange(domain, values);
        const { isDefault, ...others } = values;
        for (const { id, body } of await listDomains(directory)) {
          const isChanged = id === domain.id;
          if (!isChanged && isDefault !== true) continue;
          await putDomain(directory, id, {
            ...body,
            ...(isChanged && others),
            isDefault: isDefault === true ? isChanged : body['isDefault'],
          });
        }
      },
      onRemove: async ({ directory }, { id, body }) => {
        if (body['isDefault'] === true || body['isInitial'] === true)
          throw badRequest('The default and the initial domain cannot be deleted.');
        if (await hasUsers(directory, id))
          throw badRequest(
            `The domain '${id}' cannot be deleted while users have it in their userPrincipalName.`,
          );
      },
    });
    router.on(
      'GET',
      '/domains/{id}/domainNameReferences/{cast}?',
      readAccess,
      listReferencesToDomain,
    );
    router.on('POST', '/domains/{id}/verify', writeAccess, async (request) => {
      const name = request.parameter('id').toLowerCase();
      const domain = await request.directory.records.get(domainCollection, '', name);
      if (!domain) throw objectNotFound(name);
      // Ownership is not checked by DNS: a caller who may add a domain owns it.
      const { isVerified, isDefault, isInitial } = domain.body;
      const verified =
        isVerified === true
          ? domain.body
          : domainBody({
              isVerified: true,
              isDefault: isDefault === true,
              isInitial: isInitial === true,
            });
      const record = await putDomain(request.directory, name, verified);
      return ok(request.withContext('domains/$entity', presentRecord(record)));
    });
  },
  async start(directory) {
    const { defaultDomain } = directory.tenant;
    if (!(await directory.records.get(domainCollection, '', defaultDomain)))
      await putDomain(
        directory,
        defaultDomain,
        domainBody({ isVerified: true, isDefault: true, isInitial: true }),
      );
  },
};
