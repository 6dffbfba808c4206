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
      const domains = domainsOf(app);
      if (domains === undefined)
        throw new ProviderFailure(
          `specified Container App (${app.id}) has no Ingress configuration for Custom Domains`,
        );
      refuseExisting(
        findDomain(app, name),
        domainId(app, name),
        'azurerm_container_app_custom_domain',
      );
      const answer = await writeDomains(app, [...domains, plannedDomain(planned)], context);
      return toState(answer, name);
    }),
  /** A domain has no date of its creation: it must be as planned, or it is someone else's. */
  async findExisting({ planned, api, signal }) {
    const appId = textOrEmpty(planned, 'container_app_id');
    const app = await api.resourceManager.resources.find(appId, apiVersion, { signal });
    const { name, bindingType, certificateId = '' } = plannedDomain(planned);
    const existing = app === undefined ? undefined : findDomain(app, name);
    return app !== undefined &&
      existing !== undefined &&
      optionalText(existing, 'bindingType') === bindingType &&
      textOrEmpty(existing, 'certificateId').toLowerCase() === certificateId.toLowerCase()
      ? { id: domainId(app, name) }
      : undefined;
  },
  async read({ state, api, signal }) {
    const [appId, name] = splitId(textOrEmpty(state, 'id'));
    const app = await api.resourceManager.resources.find(appId, apiVersion, { signal });
    return app === undefined || findDomain(app, name) === undefined
      ? undefined
      : toState(app, name);
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

/** The entry of a planned domain in the list of its app. */
function plannedDomain(planned: ValueMap): {
  readonly name: string;
  readonly bindingType: string | undefined;
  readonly certificateId: string | undefined;
} {
  const certificateId = optionalText(planned, 'container_app_environment_certificate_id');
  return {
    name: textOrEmpty(planned, 'name'),
    // as in the official provider, the binding counts with a certificate alone
    bindingType:
      certificateId === undefined ? 'Disabled' : optionalText(planned, 'certificate_binding_type'),
    certificateId,
  };
}

function domainId(app: Resource, name: string): string {
  return `${app.id}/customDomainName/${name}`;
}

/** The domains of an app; undefined if no requests reach it. */
function domainsOf({ properties }: Resource): readonly ValueMap[] | undefined {
  const { ingress } = objectProperty(properties, 'configuration');
  return isObject(ingress)
    ? (objectListProperty(ingress, 'customDomains') as readonly ValueMap[])
    : undefined;
}

function findDomain(app: Resource, name: string): ValueMap | undefined {
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
  const domain = findDomain(app, name) ?? {};
  const certificate = optionalText(domain, 'certificateId') ?? '';
  const isManaged = /\/managedCertificates\//i.test(certificate);
  return {
    id: domainId(app, name),
    name,
    container_app_id: app.id,
    certificate_binding_type: optionalText(domain, 'bindingType') ?? '',
    container_app_environment_certificate_id: isManaged ? '' : certificate,
    container_app_environment_managed_certificate_id: isManaged ? certificate : '',
  };
}
