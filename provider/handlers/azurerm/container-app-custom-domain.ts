import { isObject } from '../../../core/values/is-object.js';
import { apiVersions, type Resource } from '../../../clients/resource-manager/index.js';
import type { ActualValues } from '../../planner/new-state.js';
import type { ValueMap } from '../../values/value.js';
import { withLocks } from '../locks.js';
import { type Context, ProviderFailure, type ResourceHandler } from '../handler.js';
import { objectProperty, objectListProperty, textOrEmpty, optionalText } from '../read-values.js';
import { importById, refuseExisting } from './azurerm-resource.js';

const apiVersion = apiVersions['Microsoft.App/containerApps'];

/**
 * The resource azurerm_container_app_custom_domain: one entry in the list of an app's domains; the
 * app itself leaves that list alone.
 */
export const containerAppCustomDomain: ResourceHandler = {
  create: ({ planned, ...context }) =>
    withLockedApp(textOrEmpty(planned, 'container_app_id'), context, async (app) => {
      const name = textOrEmpty(planned, 'name');
      const id = `${app.id}/customDomainName/${name}`;
      const domains = domainsOf(app);
      if (domains === undefined)
        throw new ProviderFailure(
          `specified Container App (${app.id}) has no Ingress configuration for Custom Domains`,
        );
      refuseExisting(domainIn(app, name), id, 'azurerm_container_app_custom_domain');
      const certificateId = optionalText(planned, 'container_app_environment_certificate_id');
      const domain = {
        name,
        // as in the official provider, the binding counts with a certificate alone
        bindingType:
          certificateId === undefined
            ? 'Disabled'
            : optionalText(planned, 'certificate_binding_type'),
        certificateId,
      };
      const answer = await writeDomains(app, [...domains, domain], context);
      return toState(answer, name);
    }),
  async read({ state, api, signal }) {
    const [appId, name] = splitId(textOrEmpty(state, 'id'));
    const app = await api.resourceManager.resources.find(appId, apiVersion, { signal });
    return app === undefined || domainIn(app, name) === undefined ? undefined : toState(app, name);
  },
  async delete({ state, ...context }) {
    const [appId, name] = splitId(textOrEmpty(state, 'id'));
    const { api, signal } = context;
    if ((await api.resourceManager.resources.find(appId, apiVersion, { signal })) === undefined)
      return;
    await withLockedApp(appId, context, async (app) => {
      const others = (domainsOf(app) ?? []).filter((each) => !isNamed(each, name));
      await writeDomains(app, others, context);
    });
  },
  import: importById(
    '/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.App/containerApps/{containerAppName}/customDomainName/{customDomainName}',
  ),
};

/** Works on an app while no other domain of it is written. */
function withLockedApp<T>(
  appId: string,
  { api, signal }: Context,
  work: (app: Resource) => Promise<T>,
): Promise<T> {
  return withLocks([appId], async () =>
    work(await api.resourceManager.resources.get(appId, apiVersion, { signal })),
  );
}

function writeDomains(
  app: Resource,
  customDomains: readonly object[],
  { api, signal }: Context,
): Promise<Resource> {
  const properties = { configuration: { ingress: { customDomains } } };
  return api.resourceManager.resources.patch(app.id, apiVersion, { properties }, { signal });
}

/** The domains of an app; undefined if no requests reach it. */
function domainsOf({ properties }: Resource): readonly ValueMap[] | undefined {
  const { ingress } = objectProperty(properties, 'configuration');
  return isObject(ingress)
    ? (objectListProperty(ingress, 'customDomains') as readonly ValueMap[])
    : undefined;
}

function domainIn(app: Resource, name: string): ValueMap | undefined {
  return domainsOf(app)?.find((each) => isNamed(each, name));
}

function isNamed(domain: ValueMap, name: string): boolean {
  return optionalText(domain, 'name')?.toLowerCase() === name.toLowerCase();
}

/** The app and the domain of an id. */
function splitId(id: string): readonly [app: string, domain: string] {
  const parts = id.split('/');
  return [parts.slice(0, -2).join('/'), parts.at(-1) ?? ''];
}

function toState(app: Resource, name: string): ActualValues {
  const domain = domainIn(app, name) ?? {};
  const certificate = optionalText(domain, 'certificateId') ?? '';
  const isManaged = /\/managedCertificates\//i.test(certificate);
  return {
    id: `${app.id}/customDomainName/${name}`,
    name,
    container_app_id: app.id,
    certificate_binding_type: optionalText(domain, 'bindingType') ?? '',
    container_app_environment_certificate_id: isManaged ? '' : certificate,
    container_app_environment_managed_certificate_id: isManaged ? certificate : '',
  };
}
