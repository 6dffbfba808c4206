import { schemaMessage, schemaMistakes } from '../../schemas/azapi/rules.js';
import { equalValues } from '../../values/equality.js';
import { fromJson, type Json } from '../../values/json.js';
import type { Value, ValueMap } from '../../values/value.js';
import { type Context, ProviderFailure, type ResourceHandler } from '../handler.js';
import { blocks, dropUndefined, requiredText, text, textMap, texts } from '../read-values.js';
import type { ActualValues } from '../../planner/new-state.js';
import { declaredPart, sameJson } from './compare-bodies.js';
import { isObject } from '../../../core/values/is-object.js';
import { withLocks } from '../locks.js';
import { outputOf } from './output.js';
import { planResource } from './plan-resource.js';
import { bodyJson, bodyToSend, callOptions, compareOptions } from './request-parts.js';
import { addressOf, parseImportedAddress, splitType } from './resource-address.js';
import { findStateResource } from './stored-resource.js';
import { resourcesFor } from './retry.js';

/** The resource azapi_resource. */
export const resource: ResourceHandler = {
  async create(call) {
    const { planned, config, signal } = call;
    const { id, apiVersion } = addressOf(planned);
    refuseMistakes(planned);
    const resources = resourcesFor(call, planned);
    if ((await resources.find(id, apiVersion, callOptions(planned, 'read', signal))) !== undefined)
      throw new ProviderFailure(
        'Resource already exists',
        `A resource with the ID "${id}" already exists - to be managed via Terraform this resource needs to be imported into the State. Please see the resource documentation for "azapi_resource" for more information.`,
      );
    const body = envelope(bodyToSend(planned, config, undefined), planned);
    await withLocks(texts(planned, 'locks'), () =>
      resources.put(id, apiVersion, body, callOptions(planned, 'create', signal)),
    );
    return toState(
      await resources.get<Json>(id, apiVersion, callOptions(planned, 'read', signal)),
      id,
      planned,
      call,
    );
  },
  // ids are built from parents and names
  find: ({ planned }) => Promise.resolve({ id: addressOf(planned).id }),
  async read(call) {
    const { state } = call;
    const id = requiredText(state, 'id');
    const resource = await findStateResource(call);
    if (resource === undefined) return undefined;
    const body = state['body'] ?? null;
    const declaredBody =
      body === null
        ? writablePart(resource)
        : declaredPart(bodyJson(body), resource, compareOptions(state));
    const nextBody =
      body !== null && sameJson(declaredBody, bodyJson(body)) ? body : fromJson(declaredBody);
    return { ...toState(resource, id, state, call), body: nextBody };
  },
  async update(call) {
    const { planned, prior, config, signal } = call;
    const id = requiredText(prior, 'id');
    const { apiVersion } = splitType(requiredText(planned, 'type'));
    const resources = resourcesFor(call, planned);
    refuseMistakes(planned);
    if (sendsSomething(prior, planned)) {
      const body = envelope(bodyToSend(planned, config, prior), planned);
      await withLocks(texts(planned, 'locks'), () =>
        resources.put(id, apiVersion, body, callOptions(planned, 'update', signal)),
      );
    }
    return toState(
      await resources.get<Json>(id, apiVersion, callOptions(planned, 'read', signal)),
      id,
      planned,
      call,
    );
  },
  async delete(call) {
    const { state, signal } = call;
    const { apiVersion } = splitType(requiredText(state, 'type'));
    await withLocks(texts(state, 'locks'), () =>
      resourcesFor(call, state).delete(
        requiredText(state, 'id'),
        apiVersion,
        callOptions(state, 'delete', signal),
      ),
    );
  },
  import(text) {
    const { id, type, apiVersion, name, parentId } = parseImportedAddress(text);
    const defaults = {
      ignore_casing: false,
      ignore_missing_property: true,
      ignore_null_property: false,
      schema_validation_enabled: true,
    };
    return { id, type: `${type}@${apiVersion}`, name, parent_id: parentId, ...defaults };
  },
  plan: planResource,
};

/** The schema is checked again when all values are known. */
function refuseMistakes(planned: ValueMap): void {
  if (planned['schema_validation_enabled'] === false) return;
  const mistakes = schemaMistakes(planned['type'], planned['body'] ?? null);
  if (mistakes.length > 0)
    throw new ProviderFailure('Invalid configuration', schemaMessage(mistakes), ['body']);
}

/** Timeouts and retries apply to the requests, not to the resource. */
function sendsSomething(prior: ValueMap, planned: ValueMap): boolean {
  const local = ['timeouts', 'retry', 'output', 'id'];
  return Object.keys(planned).some(
    (name) => !local.includes(name) && !equalAny(prior[name] ?? null, planned[name] ?? null),
  );
}

function equalAny(a: Value, b: Value): boolean {
  return JSON.stringify(a) === JSON.stringify(b) || equalValues(a, b, 'dynamic');
}

/** The body with the properties configured beside it. */
function envelope(body: Json, planned: ValueMap): Readonly<Record<string, Json>> {
  const [identity] = blocks(planned, 'identity');
  const ids = texts(identity, 'identity_ids');
  const tags = textMap(planned, 'tags');
  return {
    ...(isObject(body) && body),
    ...dropUndefined({
      location: text(planned, 'location'),
      tags: Object.keys(tags).length === 0 ? undefined : tags,
      identity:
        identity === undefined
          ? undefined
          : {
              type: requiredText(identity, 'type'),
              ...(ids.length !== 0 && {
                userAssignedIdentities: Object.fromEntries(ids.map((each) => [each, {}])),
              }),
            },
    }),
  } as Readonly<Record<string, Json>>;
}

/** The body after an import: the properties, without those that only the service sets. */
function writablePart(resource: Json): Json {
  const readOnly = ['id', 'name', 'type', 'systemData', 'location', 'tags', 'identity', 'etag'];
  return isObject(resource)
    ? Object.fromEntries(Object.entries(resource).filter(([name]) => !readOnly.includes(name)))
    : {};
}

function toState(resource: Json, id: string, state: ValueMap, { provider }: Context): ActualValues {
  const answer = isObject(resource) ? resource : {};
  const byDefault = provider['disable_default_output'] !== true;
  const { location, tags, identity } = answer;
  const stateBody = state['body'] ?? null;
  const request = stateBody === null ? writablePart(resource) : bodyJson(stateBody);
  return {
    id,
    name: state['name'] ?? null,
    parent_id: state['parent_id'] ?? null,
    output: outputOf(resource, state['response_export_values'] ?? null, { request, byDefault }),
    location: typeof location === 'string' ? location : null,
    tags: isObject(tags)
      ? Object.fromEntries(Object.entries(tags).map(([name, value]) => [name, String(value)]))
      : null,
    identity: blocks(state, 'identity').length === 0 ? [] : [flattenIdentity(identity)],
  };
}

function flattenIdentity(identity: Json | undefined): ValueMap {
  const from = isObject(identity) ? identity : {};
  const assigned = from['userAssignedIdentities'];
  return {
    type: typeof from['type'] === 'string' ? from['type'] : null,
    identity_ids: isObject(assigned) ? Object.keys(assigned) : null,
    principal_id: typeof from['principalId'] === 'string' ? from['principalId'] : '',
    tenant_id: typeof from['tenantId'] === 'string' ? from['tenantId'] : '',
  };
}
