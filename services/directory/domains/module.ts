import { permit } from '../authorization/access.js';
import { badRequest, invalidProperty, conflict, objectNotFound } from '../http/errors.js';
import { ok } from '../http/reply.js';
import type { DirectoryModule } from '../directory-module.js';
import { itemOperations, shownItem } from '../kernel/item-operations.js';
import { domainBody, domainCollection, listDomains, putDomain } from './domain-names.js';

const read = permit(['Domain.Read.All', 'Domain.ReadWrite.All', 'Directory.Read.All', 'Directory.ReadWrite.All']);
const write = permit(['Domain.ReadWrite.All', 'Directory.ReadWrite.All'], { roles: ['globalAdministrator'] });
const namePattern = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

/** The tenant's domains. There is one from the start, which is the default and the initial one. */
export const domainsModule: DirectoryModule = {
  routes(router) {
    itemOperations(router, {
      path: '/domains',
      read,
      write,
      rules: { resource: 'Domain', properties: {}, relationships: {} },
      list: ({ directory }) => listDomains(directory),
      create: async ({ directory }, { id }) => {
        if (typeof id !== 'string' || !namePattern.test(id)) throw invalidProperty('id', 'the name of a domain is expected');
        const name = id.toLowerCase();
        if (await directory.items.get(domainCollection, '', name)) throw conflict('id', `The domain '${name}' already exists.`);
        return putDomain(directory, name, domainBody({ isVerified: false }));
      },
      change: async ({ directory }, domain, { isDefault }) => {
        if (isDefault !== true || domain.body['isVerified'] !== true)
          throw badRequest('Only a verified domain can be made the default one.', 'isDefault');
        for (const { id, body } of await listDomains(directory)) await putDomain(directory, id, { ...body, isDefault: id === domain.id });
        return undefined;
      },
      remove: async ({ directory }, { id, body }) => {
        if (body['isDefault'] === true || body['isInitial'] === true)
          throw badRequest('The default and the initial domain cannot be deleted.');
        await directory.items.remove(domainCollection, '', id);
      },
    });
    router.on('POST', '/domains/{id}/verify', write, async (request) => {
      const name = request.parameter('id').toLowerCase();
      const domain = await request.directory.items.get(domainCollection, '', name);
      if (!domain) throw objectNotFound(name);
      // there is no registrar to ask: a caller who may add a domain here owns it
      const item = await putDomain(request.directory, name, { ...domain.body, ...domainBody({ isVerified: true }) });
      return ok({ ...request.context('domains/$entity'), ...shownItem(item) });
    });
  },
  async start(directory) {
    const { defaultDomain } = directory.tenant;
    if (!(await directory.items.get(domainCollection, '', defaultDomain)))
      await putDomain(directory, defaultDomain, domainBody({ isVerified: true, isDefault: true, isInitial: true }));
  },
};
