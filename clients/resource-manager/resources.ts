import { CastellanError } from '../../core/errors/castellan-error.js';
import { waitForOutcome } from '../common/long-running.js';
import { entriesOf } from '../common/paging.js';
import { requestIdOf, ServiceError, undefinedIfNotFound } from '../common/service-error.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { HttpResponse } from '../common/http-messages.js';
import {
  apiVersions,
  type CallOptions,
  type Connection,
  requestOptions,
  type ResourceType,
} from './connection.js';
import { parseScope, resourceGroupId } from './resource-id.js';

/** Operations on any resource by its id and api-version. */
export interface Resources {
  /** @throws ServiceError with status 404 when there is none. */
  get<R = Resource>(id: string, apiVersion: string, call?: CallOptions): Promise<R>;
  /** Like `get`, but undefined when there is none. */
  find<R = Resource>(id: string, apiVersion: string, call?: CallOptions): Promise<R | undefined>;
  /**
   * Creates or replaces, waits until it is provisioned and returns the result.
   *
   * @throws ServiceError when the provisioning fails or is canceled, CAS5003 when it does not end in
   *   time.
   */
  put<R = Resource>(
    id: string,
    apiVersion: string,
    body: ResourceBody,
    call?: CallOptions,
  ): Promise<R>;
  /** Changes the given properties, and waits like `put`. */
  patch<R = Resource>(
    id: string,
    apiVersion: string,
    body: ResourceBody,
    call?: CallOptions,
  ): Promise<R>;
  /** Deletes and waits until the resource is gone; a missing one is no error. */
  delete(id: string, apiVersion: string, call?: CallOptions): Promise<void>;
  /** `POST {id}/{action}`. */
  action<R>(
    id: string,
    action: string,
    apiVersion: string,
    body?: unknown,
    call?: CallOptions,
  ): Promise<R>;
  /** Iterates over the entries of a collection, all pages. */
  list<R = Resource>(path: string, apiVersion: string, call?: CallOptions): AsyncIterable<R>;
}

const failureStates = new Set(['failed', 'canceled']);
const terminalStates = new Set(['succeeded', ...failureStates]);

/** A resource without a state is provisioned. */
function provisioningState(body: unknown): string {
  const properties = (body as Resource | undefined)?.properties as
    { provisioningState?: string } | undefined;
  return properties?.provisioningState ?? 'Succeeded';
}

/** The operations that every resource type has. */
export function resources({ http, waitOptions }: Connection): Resources {
  const get = async <R>(id: string, apiVersion: string, call?: CallOptions): Promise<R> =>
    (await http.request<R>({ method: 'GET', path: id, ...requestOptions(apiVersion, call) })).body;

  /** The resource in its final state, which may be a failure. */
  const waitUntilProvisioned = async <R>(
    id: string,
    apiVersion: string,
    answer: HttpResponse<unknown>,
    call?: CallOptions,
  ): Promise<R> => {
    if (answer.headers.has('azure-asyncoperation'))
      return waitForOutcome<R>(http, answer, waitOptions(call));
    if (answer.status === 202) {
      await waitForOutcome(http, answer, waitOptions(call));
      return get<R>(id, apiVersion, call);
    }
    let body = answer.body as R;
    const { timeoutMs = 30 * 60_000, signal } = waitOptions(call);
    let [elapsedMs, pauseMs] = [0, 1000];
    while (!terminalStates.has(provisioningState(body).toLowerCase())) {
      if (elapsedMs >= timeoutMs)
        throw new CastellanError(
          'CAS5003',
          `${id} was not provisioned within ${timeoutMs} ms: its provisioning state is ${provisioningState(body)}`,
        );
      await http.sleep(pauseMs, signal);
      elapsedMs += pauseMs;
      pauseMs = Math.min(pauseMs * 1.5, 30_000);
      body = await get<R>(id, apiVersion, call);
    }
    return body;
  };

  const write =
    (method: 'PUT' | 'PATCH') =>
    async <R>(
      id: string,
      apiVersion: string,
      body: ResourceBody,
      call?: CallOptions,
    ): Promise<R> => {
      const answer = await http.request({
        method,
        path: id,
        body,
        ...requestOptions(apiVersion, call),
      });
      const result = await waitUntilProvisioned<R>(id, apiVersion, answer, call);
      const state = provisioningState(result);
      if (!failureStates.has(state.toLowerCase())) return result;
      throw new ServiceError({
        method,
        url: id,
        status: answer.status,
        serviceCode: `Provisioning${state}`,
        serviceMessage: `${id} ended in the provisioning state ${state}`,
        serviceDetails: [],
        isRetriable: false,
        body: result,
        ...omitUndefined({ requestId: requestIdOf(answer.headers) }),
      });
    };

  return {
    get,
    find: (id, apiVersion, call) => undefinedIfNotFound(get(id, apiVersion, call)),
    put: write('PUT'),
    patch: write('PATCH'),
    async delete(id, apiVersion, call) {
      const answer = await undefinedIfNotFound(
        http.request({ method: 'DELETE', path: id, ...requestOptions(apiVersion, call) }),
      );
      if (answer?.status === 202)
        await undefinedIfNotFound(waitForOutcome(http, answer, waitOptions(call)));
    },
    async action<R>(
      id: string,
      action: string,
      apiVersion: string,
      body?: unknown,
      call?: CallOptions,
    ): Promise<R> {
      const answer = await http.request({
        method: 'POST',
        path: `${id}/${action}`,
        body,
        ...requestOptions(apiVersion, call),
      });
      return waitForOutcome<R>(http, answer, waitOptions(call));
    },
    list: (path, apiVersion, call) =>
      entriesOf(http, { path, ...requestOptions(apiVersion, call) }),
  };
}

/** The properties of every resource, with the cloud's names and shapes; unknown ones are kept. */
export interface Resource<Properties = Readonly<Record<string, unknown>>> {
  /** The resource id: `/subscriptions/…/providers/Microsoft.App/containerApps/web`. */
  readonly id: string;
  readonly name: string;
  /** The resource type, such as `Microsoft.App/containerApps`. */
  readonly type: string;
  /** The region, such as `westeurope`. */
  readonly location?: string;
  readonly tags?: Readonly<Record<string, string>> | null;
  /** The managed identities that it uses. */
  readonly identity?: ResourceIdentity;
  readonly properties?: Properties;
}

/**
 * The body that creates or replaces a resource; its id, name and type are ignored, so a read
 * resource can be sent.
 */
export type ResourceBody<Properties = Readonly<Record<string, unknown>>> = Partial<
  Resource<Properties>
> &
  Readonly<Record<string, unknown>>;

/** Managed identities of a resource. */
export interface ResourceIdentity {
  /** `None`, `SystemAssigned`, `UserAssigned`, or both: `SystemAssigned, UserAssigned`. */
  readonly type: string;
  /** The object id of the system-assigned identity; undefined without one. */
  readonly principalId?: string;
  readonly tenantId?: string;
  /** By the resource id of the identity. */
  readonly userAssignedIdentities?: Readonly<
    Record<string, { readonly principalId?: string; readonly clientId?: string }>
  > | null;
}

/** A secret of a container app with its value, as `listSecrets` returns it. */
export interface ContainerAppSecret {
  readonly name: string;
  readonly value?: string;
  /** What reads the secret from the key vault: the resource id of an identity, or `system`. */
  readonly identity?: string;
  /** The address of the secret in a key vault, for one that has its value there. */
  readonly keyVaultUrl?: string;
}

/** Any properties of a cloud resource. */
export type UnknownProperties = Readonly<Record<string, unknown>>;

/** The typed properties of a container app; others are kept unchanged beside them. */
export interface ContainerAppProperties extends UnknownProperties {
  readonly provisioningState?: string;
  readonly managedEnvironmentId?: string;
  readonly latestRevisionName?: string;
  /** The host name of the latest revision alone; empty without an ingress. */
  readonly latestRevisionFqdn?: string;
  readonly outboundIpAddresses?: readonly string[];
  /** The text of a TXT record that proves whose a custom domain is. */
  readonly customDomainVerificationId?: string;
  /** The workload profile of the environment that it runs on. @default Consumption */
  readonly workloadProfileName?: string | null;
  readonly configuration?: UnknownProperties & {
    readonly ingress?: (UnknownProperties & { readonly fqdn?: string }) | null;
  };
  /** What a revision consists of: containers, scale, volumes. */
  readonly template?: UnknownProperties;
}

/** The typed properties of a managed environment. */
export interface ManagedEnvironmentProperties extends UnknownProperties {
  readonly provisioningState?: string;
  /** The domain below which its apps have their host names. */
  readonly defaultDomain?: string;
  /** The address at which its apps are reached. */
  readonly staticIp?: string;
  readonly customDomainConfiguration?: { readonly customDomainVerificationId?: string };
}

/** The typed properties of a log analytics workspace. */
export interface LogWorkspaceProperties extends UnknownProperties {
  readonly provisioningState?: string;
  /** The GUID of the workspace, by which senders of logs name it. */
  readonly customerId?: string;
  readonly retentionInDays?: number;
  readonly sku?: { readonly name: string };
}

/** The typed properties of a user-assigned identity. */
export interface IdentityProperties extends UnknownProperties {
  /** The object id of its service principal in the directory. */
  readonly principalId?: string;
  /** The `appId` of that service principal. */
  readonly clientId?: string;
  readonly tenantId?: string;
}

/** The keys of a log analytics workspace. */
export interface SharedKeys {
  readonly primarySharedKey: string;
  readonly secondarySharedKey: string;
}

/** The resources of one type, by their full id. */
export interface ResourcesOfType<Properties> {
  /** @throws ServiceError with status 404 when there is none. */
  get(id: string, call?: CallOptions): Promise<Resource<Properties>>;
  /** Like `get`, but undefined when there is none. */
  find(id: string, call?: CallOptions): Promise<Resource<Properties> | undefined>;
  /** Creates or replaces (`PUT`), and waits until the resource is provisioned. */
  createOrUpdate(id: string, body: ResourceBody, call?: CallOptions): Promise<Resource<Properties>>;
  /** Changes the given properties (`PATCH`), and waits until the resource is provisioned. */
  update(id: string, body: ResourceBody, call?: CallOptions): Promise<Resource<Properties>>;
  /** A missing resource is no error. */
  delete(id: string, call?: CallOptions): Promise<void>;
}

/** A {@link ResourcesOfType} that can be listed. */
export interface ListableResourcesOfType<Properties> extends ResourcesOfType<Properties> {
  /**
   * The resources in a resource group, or in a subscription.
   *
   * @param scopeId the resource id of the group or of the subscription, or the subscription's id.
   */
  list(scopeId: string, call?: CallOptions): AsyncIterable<Resource<Properties>>;
}

/** The operations of one resource type, with the api-version of {@link apiVersions}. */
export function resourcesOfType<Properties>(
  resources: Resources,
  type: ResourceType,
): ResourcesOfType<Properties> {
  const version = apiVersions[type];
  return {
    get: (id, call) => resources.get(id, version, call),
    find: (id, call) => resources.find(id, version, call),
    createOrUpdate: (id, body, call) => resources.put(id, version, body, call),
    update: (id, body, call) => resources.patch(id, version, body, call),
    delete: (id, call) => resources.delete(id, version, call),
  };
}

/** The operations of one resource type, with its listing. */
export function listableResourcesOfType<Properties>(
  resources: Resources,
  type: ResourceType,
): ListableResourcesOfType<Properties> {
  return {
    ...resourcesOfType<Properties>(resources, type),
    list(scopeId, call) {
      const { subscriptionId, resourceGroup } = parseScope(scopeId);
      const scope =
        resourceGroup === undefined
          ? `/subscriptions/${subscriptionId}`
          : resourceGroupId(subscriptionId, resourceGroup);
      return resources.list(`${scope}/providers/${type}`, apiVersions[type], call);
    },
  };
}
