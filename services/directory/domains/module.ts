import { permit } from '../authorization/access.js';
import { badRequest, conflict, objectNotFound } from '../http/errors.js';
import { created, noContent, ok } from '../http/reply.js';
import type { DirectoryRequest } from '../http/request.js';
import type { DirectoryModule } from '../directory-module.js';
import { isObject } from '../../../core/values/is-object.js';
import type { Item } from '../store/items.js';
import { domainBody, domainCollection, listDomains } from './domain-names.js';

const read = permit(['Domain.Read.All', 'Domain.ReadWrite.All', 'Directory.Read.All', 'Directory.ReadWrite.All']);
const write = permit(['Domain.ReadWrite.All', 'Directory.ReadWrite.All'], { roles: ['globalAdministrator'] });
const namePattern = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

/** The tenant's domains. There is one from the start, which is the default and the initial one. */
export const domainsModule: DirectoryModule = {
  routes(router) {
    router.on('GET', '/domains', read, async (request) =>
      ok({
        '@odata.context': `${request.base}/$metadata#domains`,
        value: (await listDomains(request.directory)).map((item) => selected(request, item)),
      }),
    );
    router.on('GET', '/domains/{id}', read, async (request) =>
      ok({ '@odata.context': `${request.base}/$metadata#domains/$entity`, ...selected(request, await requireDomain(request)) }),
    );
    router.on('POST', '/domains', write, createDomain);
    router.on('POST', '/domains/{id}/verify', write, async (request) => {
      const domain = await requireDomain(request);
      // there is no registrar to ask: a caller who may add a domain here owns it
      const item = await request.directory.items.put(
        domainCollection,
        '',
        domain.id,
        { ...domain.body, ...domainBody({ isVerified: true }) },
        domain.id,
      );
      return ok({ '@odata.context': `${request.base}/$metadata#domains/$entity`, ...selected(request, item) });
    });
    router.on('PATCH', '/domains/{id}', write, changeDomain);
    router.on('DELETE', '/domains/{id}', write, async (request) => {
      await request.directory.sql.write(async () => {
        const { id, body } = await requireDomain(request);
        if (body['isDefault'] === true || body['isInitial'] === true)
          throw badRequest('The default and the initial domain cannot be deleted.');
        await request.directory.items.remove(domainCollection, '', id);
      });
      return noContent;
    });
  },
  async start(directory) {
    const { defaultDomain } = directory.tenant;
    if (await directory.items.get(domainCollection, '', defaultDomain)) return;
    await directory.items.put(
      domainCollection,
      '',
      defaultDomain,
      domainBody({ isVerified: true, isDefault: true, isInitial: true }),
      defaultDomain,
    );
  },
};

async function createDomain(request: DirectoryRequest): Promise<ReturnType<typeof created>> {
  const { id } = request.json();
  if (typeof id !== 'string' || !namePattern.test(id))
    throw badRequest("Invalid value specified for property 'id': the name of a domain is expected.", 'id');
  const name = id.toLowerCase();
  const item = await request.directory.sql.write(async () => {
    if (await request.directory.items.get(domainCollection, '', name)) throw conflict('id', `The domain '${name}' already exists.`);
    return request.directory.items.put(domainCollection, '', name, domainBody({ isVerified: false }), name);
  });
  return created(
    { '@odata.context': `${request.base}/$metadata#domains/$entity`, ...selected(request, item) },
    `${request.base}/domains/${name}`,
  );
}

async function changeDomain(request: DirectoryRequest): Promise<typeof noContent> {
  const { isDefault } = request.json();
  await request.directory.sql.write(async () => {
    const domain = await requireDomain(request);
    if (isDefault !== true || domain.body['isVerified'] !== true)
      throw badRequest('Only a verified domain can be made the default one.', 'isDefault');
    for (const { id, body } of await listDomains(request.directory))
      await request.directory.items.put(domainCollection, '', id, { ...body, isDefault: id === domain.id }, id);
  });
  return noContent;
}

async function requireDomain(request: DirectoryRequest): Promise<Item> {
  const name = request.parameter('id').toLowerCase();
  const domain = await request.directory.items.get(domainCollection, '', name);
  if (!domain) throw objectNotFound(name);
  return domain;
}

function selected(request: DirectoryRequest, { id, body }: Item): Record<string, unknown> {
  const whole: Record<string, unknown> = { id, ...body };
  const { select } = request.options;
  return select && isObject(whole) ? Object.fromEntries(Object.entries(whole).filter(([name]) => select.includes(name))) : whole;
}
