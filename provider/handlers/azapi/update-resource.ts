import { fromJson, type Json } from '../../values/json.js';
import type { ValueMap } from '../../values/value.js';
import { type Context, ProviderFailure, type ResourceHandler } from '../handler.js';
import { textOrEmpty, optionalText, textList } from '../read-values.js';
import type { ActualValues } from '../../planner/new-state.js';
import { pickDeclared, mergeBodies, isSameJson } from './compare-bodies.js';
import { isObject } from '../../../core/values/is-object.js';
import { withLocks } from '../locks.js';
import { outputOf, readOnlyOutput } from './output.js';
import {
  bodyJson,
  bodyToSend,
  callOptions,
  compareOptions,
  sensitiveBodyNames,
  versionlessSensitiveBody,
} from './request-parts.js';
import { buildAddress, parentAndName, splitType } from './resource-address.js';
import { findStateResource } from './stored-resource.js';
import { retryingResources } from './retry.js';

/**
 * The resource azapi_update_resource: merges a body into an existing resource; destroying it sends
 * nothing.
 */
export const updateResource: ResourceHandler = {
  create: (call) => mergeIntoResource(call, call.planned, call.config, undefined),
  update: (call) => mergeIntoResource(call, call.planned, call.config, call.prior),
  async read(call) {
    const { state } = call;
    const id = textOrEmpty(state, 'id');
    const resource = await findStateResource(call);
    if (resource === undefined) return undefined;
    const body = state['body'] ?? null;
    const declaredBody = pickDeclared(bodyJson(body), resource, compareOptions(state));
    return {
      ...toState(resource, id, state, call),
      body:
        body === null || isSameJson(declaredBody, bodyJson(body)) ? body : fromJson(declaredBody),
    };
  },
  delete: () => Promise.resolve(),
  unstoredInput: versionlessSensitiveBody,
  secretNames: sensitiveBodyNames,
  plan: ({ change }) => {
    const { config } = change;
    if (
      (config['resource_id'] ?? null) === null &&
      ((config['name'] ?? null) === null || (config['parent_id'] ?? null) === null)
    )
      change.error(
        'Invalid configuration',
        'either `resource_id`, or `name` and `parent_id` must be set',
        'resource_id',
      );
    if (
      change.prior !== undefined &&
      (change.planned !== change.prior || change.isUnstoredInputChanged)
    )
      change.setUnknown('output');
  },
};

async function mergeIntoResource(
  context: Context,
  planned: ValueMap,
  config: ValueMap,
  prior: ValueMap | undefined,
): Promise<ActualValues> {
  const { signal } = context;
  const { type, apiVersion } = splitType(textOrEmpty(planned, 'type'));
  const id = optionalText(planned, 'resource_id') ?? buildAddress(planned).id;
  const resources = retryingResources(context, planned);
  await withLocks([...textList(planned, 'locks'), id], async () => {
    const existing = await resources.find<Json>(
      id,
      apiVersion,
      callOptions(planned, 'read', signal),
    );
    if (existing === undefined)
      throw new ProviderFailure(
        'Resource not found',
        `${type} ${id} does not exist: azapi_update_resource changes what others create.`,
      );
    const body = {
      ...(mergeBodies(
        existing,
        bodyToSend(planned, config, prior),
        compareOptions(planned),
      ) as Readonly<Record<string, Json>>),
      name: parentAndName(id).name,
    };
    await resources.put(id, apiVersion, body, callOptions(planned, 'update', signal));
  });
  return toState(
    await resources.get<Json>(id, apiVersion, callOptions(planned, 'read', signal)),
    id,
    planned,
    context,
  );
}

function toState(
  resource: Json,
  id: string,
  state: ValueMap,
  { secretNames }: Context,
): ActualValues {
  const { name, parentId } = parentAndName(id);
  const request = isObject(resource) ? bodyJson(state['body']) : {};
  return {
    id,
    resource_id: id,
    name,
    parent_id: parentId,
    output: outputOf(
      resource,
      state['response_export_values'] ?? null,
      readOnlyOutput(resource, request, secretNames),
    ),
  };
}
