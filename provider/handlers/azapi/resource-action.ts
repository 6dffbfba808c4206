import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { isServiceError } from '../../../clients/common/index.js';
import type { Json } from '../../values/json.js';
import type { ValueMap } from '../../values/value.js';
import type { Context, DataSourceHandler, ResourceHandler } from '../handler.js';
import { isTrue, requiredText, text, texts } from '../read-values.js';
import type { ActualValues } from '../../planner/new-state.js';
import { withLocks } from '../locks.js';
import { outputOf } from './output.js';
import { bodyJson, bodyToSend, callOptions } from './request-parts.js';
import { splitType } from './resource-address.js';
import { withRetries } from './retry.js';

/** The resource azapi_resource_action: calls an action on creation, change or destruction. */
export const resourceAction: ResourceHandler = {
  create: (call) =>
    text(call.planned, 'when') === 'destroy'
      ? Promise.resolve(nothing(call.planned))
      : act(call, call.planned, call.config),
  update: (call) =>
    text(call.planned, 'when') === 'destroy'
      ? Promise.resolve(nothing(call.planned))
      : act(call, call.planned, call.config),
  // an action has no state to read
  read: () => Promise.resolve({}),
  async delete(call) {
    if (text(call.state, 'when') === 'destroy') await act(call, call.state, call.state);
  },
  plan: ({ change }) => {
    const { prior, planned } = change;
    if (prior === undefined || planned === prior) return;
    const [before, after] = [
      splitType(requiredText(prior, 'type')).type,
      splitType(requiredText(planned, 'type')).type,
    ];
    if (before.toLowerCase() !== after.toLowerCase()) change.replaceBecauseOf('type');
    change.setUnknown('output', 'sensitive_output', 'exist');
  },
};

/** The data source azapi_resource_action: calls the action at each read. */
export const resourceActionData: DataSourceHandler = (call) =>
  act(call, { ...call.config, method: call.config['method'] ?? 'POST' }, call.config);

async function act(context: Context, planned: ValueMap, config: ValueMap): Promise<ActualValues> {
  const { api, signal } = context;
  const { apiVersion } = splitType(requiredText(planned, 'type'));
  const resourceId = requiredText(planned, 'resource_id');
  const [action, method] = [text(planned, 'action'), text(planned, 'method') ?? 'POST'];
  const body =
    (planned['body'] ?? null) === null && (config['sensitive_body'] ?? null) === null
      ? undefined
      : bodyToSend(planned, config, undefined);
  const path = action === undefined ? resourceId : `${resourceId}/${action}`;
  const { headers, query } = callOptions(planned, 'any', signal);
  const request = {
    method: method as 'POST',
    path,
    query: { 'api-version': apiVersion, ...query },
    signal,
    ...omitUndefined({ headers, body }),
  };
  try {
    const { http } = api.resourceManager;
    const send = () =>
      withRetries(
        planned,
        () => http.request<Json | undefined>(request),
        (pause) => http.sleep(pause, signal),
      );
    const answer = await withLocks(texts(planned, 'locks'), send);
    return result(planned, path, answer.body ?? {}, true);
  } catch (error) {
    if (!isTrue(planned, 'ignore_not_found') || !isServiceError(error, 404)) throw error;
    return result(planned, path, {}, false);
  }
}

function result(planned: ValueMap, id: string, answer: Json, exists: boolean): ActualValues {
  const output = outputOf(answer, planned['response_export_values'] ?? null, {
    request: {},
    byDefault: false,
  });
  const sensitive = planned['sensitive_response_export_values'] ?? null;
  return {
    id,
    method: planned['method'] ?? null,
    output: output,
    sensitive_output: outputOf(answer, sensitive, { request: bodyJson(null), byDefault: false }),
    ...('exist' in planned && { exist: exists }),
  };
}

function nothing(planned: ValueMap): ActualValues {
  const { exist: _exist, ...rest } = result(
    planned,
    requiredText(planned, 'resource_id'),
    {},
    true,
  );
  return { ...rest, exist: true };
}
