import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { schemaMessage, schemaMistakes } from '../../schemas/azapi/config-validators.js';
import { equalValues } from '../../values/equality.js';
import { fromJson, type Json } from '../../values/json.js';
import { isMap, isUnknown, type Value, type ValueMap } from '../../values/value.js';
import {
  type Context,
  type CreateCall,
  ProviderFailure,
  type ResourceHandler,
} from '../handler.js';
import { blocks, textOrEmpty, optionalText, textMap, textList } from '../read-values.js';
import type { ActualValues } from '../../planner/new-state.js';
import { mayBeCreatedSince } from '../finders.js';
import { isArray, pickDeclared, isSameJson } from './compare-bodies.js';
import { isObject } from '../../../core/values/is-object.js';
import { withLocks } from '../locks.js';
import { outputOf, readOnlyOutput } from './output.js';
import { planResource } from './plan-resource.js';
import {
  bodyJson,
  bodyToSend,
  callOptions,
  compareOptions,
  sensitiveBodyNames,
  versionlessSensitiveBody,
} from './request-parts.js';
import { buildAddress, parseImportedAddress, splitType } from './resource-address.js';
import { findStateResource, tagTexts } from './stored-resource.js';
import { retryingResources } from './retry.js';

/** The resource azapi_resource. */
export const resource: ResourceHandler = {
  async create(call) {
    const { planned, config, signal } = call;
    const { id, apiVersion } = buildAddress(planned);
    assertValidBody(planned);
    const resources = retryingResources(call, planned);
    if ((await resources.find(id, apiVersion, callOptions(planned, 'read', signal))) !== undefined)
      throw new ProviderFailure(
        'Resource already exists',
        `A resource with the ID "${id}" already exists - to be managed via Terraform this resource needs to be imported into the State. Please see the resource documentation for "azapi_resource" for more information.`,
      );
    const body = requestBody(bodyToSend(planned, config, undefined), planned);
    try {
      await withLocks(textList(planned, 'locks'), () =>
        resources.put(id, apiVersion, body, callOptions(planned, 'create', signal)),
      );
    } catch (error) {
      if (await existsAfterFailure(call, id, apiVersion)) call.reportCreated({ id });
      throw error;
    }
    call.reportCreated({ id });
    return appliedState(
      await resources.get<Json>(id, apiVersion, callOptions(planned, 'read', signal)),
      id,
      planned,
      call,
    );
  },
  async findExisting(call) {
    const { planned, createdSince, signal } = call;
    const { id, apiVersion } = buildAddress(planned);
    const options = callOptions(planned, 'read', signal);
    const resource = await retryingResources(call, planned).find<Json>(id, apiVersion, options);
    return resource !== undefined && mayBeCreatedSince(createdSince, resource) ? { id } : undefined;
  },
  async read(call) {
    const { state } = call;
    const id = textOrEmpty(state, 'id');
    const resource = await findStateResource(call);
    if (resource === undefined) return undefined;
    const body = state['body'] ?? null;
    const declaredBody =
      body === null
        ? writableProperties(resource)
        : pickDeclared(bodyJson(body), resource, compareOptions(state));
    const nextBody =
      body !== null && isSameJson(declaredBody, bodyJson(body)) ? body : fromJson(declaredBody);
    return {
      ...serviceState(resource, id, state, call),
      ...readTopLevelProperties(resource, state),
      body: nextBody,
    };
  },
  async update(call) {
    const { planned, prior, config, signal } = call;
    const id = textOrEmpty(prior, 'id');
    const { apiVersion } = splitType(textOrEmpty(planned, 'type'));
    const resources = retryingResources(call, planned);
    assertValidBody(planned);
    if (needsRequest(prior, planned)) {
      const body = requestBody(bodyToSend(planned, config, prior), planned, prior);
      await withLocks(textList(planned, 'locks'), () =>
        resources.put(id, apiVersion, body, callOptions(planned, 'update', signal)),
      );
    }
    return appliedState(
      await resources.get<Json>(id, apiVersion, callOptions(planned, 'read', signal)),
      id,
      planned,
      call,
    );
  },
  async delete(call) {
    const { state, signal } = call;
    const { apiVersion } = splitType(textOrEmpty(state, 'type'));
    await withLocks(textList(state, 'locks'), () =>
      retryingResources(call, state).delete(
        textOrEmpty(state, 'id'),
        apiVersion,
        callOptions(state, 'delete', signal),
      ),
    );
  },
  import: importedState,
  moveFrom(type, { id }) {
    if (!type.startsWith('azurerm_') || typeof id !== 'string')
      throw new ProviderFailure(
        'Invalid source type',
        `An azapi_resource can be moved from a resource of azurerm only, not from ${type}.`,
      );
    return importedState(id);
  },
  unstoredInput: versionlessSensitiveBody,
  secretNames: sensitiveBodyNames,
  plan: planResource,
};

/**
 * Whether a resource exists although its creation failed, such as one whose provisioning failed:
 * the official provider looks once, so that the resource is in the state and not orphaned.
 */
async function existsAfterFailure(
  { api, planned, signal }: CreateCall,
  id: string,
  apiVersion: string,
): Promise<boolean> {
  const options = callOptions(planned, 'read', signal);
  try {
    return (await api.resourceManager.resources.find(id, apiVersion, options)) !== undefined;
  } catch {
    return false; // the failure of the creation is the one to report
  }
}

/** The state of an import, or of a resource of azurerm that becomes one of azapi. */
function importedState(text: string): ActualValues {
  const { id, type, apiVersion, name, parentId } = parseImportedAddress(text);
  const defaults = {
    ignore_casing: false,
    ignore_missing_property: true,
    ignore_null_property: false,
    schema_validation_enabled: true,
  };
  return { id, type: `${type}@${apiVersion}`, name, parent_id: parentId, ...defaults };
}

/** Checks the body by its schema once more, now that all of its values are known. */
function assertValidBody(planned: ValueMap): void {
  if (planned['schema_validation_enabled'] === false) return;
  const mistakes = schemaMistakes(planned['type'], planned['body'] ?? null);
  if (mistakes.length > 0)
    throw new ProviderFailure('Invalid configuration', schemaMessage(mistakes), ['body']);
}

/**
 * Whether an update has to send a request: timeouts and retries apply to requests, not to the
 * resource. A changed `sensitive_body` shows in `output` only.
 */
function needsRequest(prior: ValueMap, planned: ValueMap): boolean {
  if (isUnknown(planned['output'] ?? null)) return true;
  const localAttributes = ['timeouts', 'retry', 'output', 'id'];
  return Object.keys(planned).some(
    (name) =>
      !localAttributes.includes(name) && !areEqual(prior[name] ?? null, planned[name] ?? null),
  );
}

function areEqual(a: Value, b: Value): boolean {
  return JSON.stringify(a) === JSON.stringify(b) || equalValues(a, b, 'dynamic');
}

/** The body with the properties configured beside it. */
function requestBody(
  body: Json,
  planned: ValueMap,
  prior?: ValueMap,
): Readonly<Record<string, Json>> {
  const tags = textMap(planned, 'tags');
  const topLevelProperties = omitUndefined({
    location: optionalText(planned, 'location'),
    tags: Object.keys(tags).length === 0 ? undefined : tags,
    identity: requestIdentity(planned, prior),
  });
  const request = { ...topLevelProperties, ...(isObject(body) && body) };
  return planned['ignore_null_property'] === true ? withoutNulls(request) : request;
}

/** The identity to send: of the type `None` where one was removed from the configuration. */
function requestIdentity(planned: ValueMap, prior: ValueMap | undefined): Json | undefined {
  const [identity] = blocks(planned, 'identity');
  if (identity === undefined)
    return blocks(prior, 'identity').length === 0 ? undefined : { type: 'None' };
  const ids = textList(identity, 'identity_ids');
  return {
    type: textOrEmpty(identity, 'type'),
    ...(ids.length !== 0 && {
      userAssignedIdentities: Object.fromEntries(ids.map((each) => [each, {}])),
    }),
  };
}

function withoutNulls(object: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> {
  const withoutNull = (value: Json): Json => {
    if (isArray(value)) return value.filter((each) => each !== null).map(withoutNull);
    return isObject(value) ? withoutNulls(value) : value;
  };
  return Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name, withoutNull(value)]),
  );
}

/** The body after an import: the properties, without those that only the service sets. */
function writableProperties(resource: Json): Json {
  const readOnly = ['id', 'name', 'type', 'systemData', 'location', 'tags', 'identity', 'etag'];
  return isObject(resource)
    ? Object.fromEntries(Object.entries(resource).filter(([name]) => !readOnly.includes(name)))
    : {};
}

/** The values that only the service has. */
function serviceState(
  resource: Json,
  id: string,
  state: ValueMap,
  { providerConfig, secretNames }: Context,
): ActualValues {
  const stateBody = state['body'] ?? null;
  const body = stateBody === null ? writableProperties(resource) : bodyJson(stateBody);
  const request = { ...identityArguments, ...(isObject(body) && body) };
  const { location: _location, tags: _tags, ...answer } = isObject(resource) ? resource : {};
  return {
    id,
    name: state['name'] ?? null,
    parent_id: state['parent_id'] ?? null,
    output: outputOf(
      resource,
      state['response_export_values'] ?? null,
      providerConfig['disable_default_output'] === true
        ? {}
        : readOnlyOutput(answer, request, secretNames),
    ),
  };
}

/** What the block `identity` sets, which is no part of the default output. */
const identityArguments = { identity: { type: null, userAssignedIdentities: null } };

/** The state after an apply: what was planned, with what the service chose. */
function appliedState(resource: Json, id: string, planned: ValueMap, call: Context): ActualValues {
  const [identity] = blocks(planned, 'identity');
  const { principal_id = '', tenant_id = '' } = flattenIdentity(
    topLevelPropertiesOf(resource).identity,
  );
  return {
    ...serviceState(resource, id, planned, call),
    identity: identity === undefined ? [] : [{ ...identity, principal_id, tenant_id }],
  };
}

/** Location, tags and identity as the service has them, where they differ from the state. */
function readTopLevelProperties(resource: Json, state: ValueMap): ActualValues {
  const { location, tags, identity } = topLevelPropertiesOf(resource);
  const stateBody = bodyJson(state['body']);
  const isIdentityInBody = isObject(stateBody) && Object.hasOwn(stateBody, 'identity');
  return {
    location: typeof location === 'string' ? location : undefined,
    tags: flattenTags(tags, state),
    identity: isIdentityInBody ? undefined : readIdentity(identity, state),
  };
}

function topLevelPropertiesOf(resource: Json): {
  readonly location?: Json;
  readonly tags?: Json;
  readonly identity?: Json;
} {
  return isObject(resource) ? resource : {};
}

/** An identity of the type `None` is none, unless it is declared. */
function readIdentity(identity: Json | undefined, state: ValueMap): Value {
  const [before] = blocks(state, 'identity');
  const current = flattenIdentity(identity);
  if (current['type'] === null || current['type'] === 'None')
    return before?.['type'] === 'None' ? [before] : [];
  const [idsBefore, ids] = [before, current].map((each) => textList(each, 'identity_ids'));
  const hadNoIds = before !== undefined && idsBefore?.length === 0 && ids?.length === 0;
  return [hadNoIds ? { ...current, identity_ids: before['identity_ids'] ?? null } : current];
}

/** Services do not tell an empty map from none: the state keeps what is declared. */
function flattenTags(tags: Json | undefined, state: ValueMap): Value {
  if (isObject(tags) && Object.keys(tags).length > 0) return tagTexts(tags);
  return isMap(state['tags'] ?? null) ? {} : null;
}

function flattenIdentity(identity: Json | undefined): ValueMap {
  const identityObject = isObject(identity) ? identity : {};
  const assignedIdentities = identityObject['userAssignedIdentities'];
  return {
    type: typeof identityObject['type'] === 'string' ? identityObject['type'] : null,
    identity_ids: isObject(assignedIdentities) ? Object.keys(assignedIdentities) : null,
    principal_id:
      typeof identityObject['principalId'] === 'string' ? identityObject['principalId'] : '',
    tenant_id: typeof identityObject['tenantId'] === 'string' ? identityObject['tenantId'] : '',
  };
}
