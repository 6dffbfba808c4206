import { sql } from 'kysely';
import { permit } from '../authorization/access.js';
import { badRequest, ok, type Reply } from '../http/answers.js';
import type { DirectoryRequest } from '../http/request.js';
import { validateNewProperties } from '../groups/naming-policy.js';
import { groupReadPermissions } from '../groups/group-type.js';
import { mayRead } from '../membership/hidden-memberships.js';
import type { DirectoryModule } from '../directory-module.js';
import { present } from '../kernel/presentation.js';
import { parseIds, membershipLimits } from '../membership/membership-module.js';
import { readObjects } from '../store/objects.js';
import { requireObject } from '../kernel/single-object.js';

const objectReadAccess = permit([
  ...groupReadPermissions,
  'User.Read.All',
  'User.ReadBasic.All',
  'User.ReadWrite.All',
  'Application.Read.All',
  'Application.ReadWrite.All',
  'Device.Read.All',
  'OrgContact.Read.All',
]);

/** Objects of any type by id. */
export const directoryObjectsModule: DirectoryModule = {
  routes(router) {
    router.on('GET', '/directoryObjects/{id}', objectReadAccess, getObject);
    router.on('POST', '/directoryObjects/getByIds', objectReadAccess, getByIds, { cost: 3 });
    router.on('POST', '/groups/getByIds', objectReadAccess, getByIds, { cost: 3 });
    router.on(
      'POST',
      '/directoryObjects/validateProperties',
      objectReadAccess,
      validateNewProperties,
    );
  },
};

async function getObject(request: DirectoryRequest): Promise<Reply> {
  const { directory, options } = request;
  const object = await requireObject(directory, request.parameter('id'));
  const view = present(directory, object, {
    withODataType: true,
    masked: !mayRead(request, object),
    select: options.select,
  });
  return ok(request.withContext('directoryObjects/$entity', view));
}

async function getByIds(request: DirectoryRequest): Promise<Reply> {
  const { directory, options } = request;
  const body = request.json();
  const ids = [...new Set(parseIds(body, 'ids', membershipLimits.fetchedIds))];
  const types = body['types'];
  if (types !== undefined && types !== null && !Array.isArray(types))
    throw badRequest('types must be a list of type names.', 'types');
  const typeNames = types?.map((name: unknown) => String(name).replace(/^.*\./, '').toLowerCase());
  const source = sql`directory_object o where o.id in (${sql.join(ids)}) order by o.number`;
  const candidates = ids.length === 0 ? [] : await readObjects(directory.sql, source);
  const objects = candidates.filter((object) => matchesTypeNames(object.type, typeNames));
  const { select } = options;
  const value = objects.map((object) =>
    present(directory, object, { withODataType: true, masked: !mayRead(request, object), select }),
  );
  return ok(request.withContext('directoryObjects', { value }));
}

function matchesTypeNames(type: string, typeNames: readonly string[] | undefined): boolean {
  return (
    typeNames === undefined ||
    typeNames.length === 0 ||
    typeNames.includes('directoryobject') ||
    typeNames.includes(type.toLowerCase())
  );
}
