import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { isServiceError, waitForOutcome } from '../../../clients/common/index.js';
import type { Json } from '../../values/json.js';
import type { ValueMap } from '../../values/value.js';
import type { Context, DataSourceHandler, ResourceHandler } from '../handler.js';
import { isTrue, textOrEmpty, optionalText, textList } from '../read-values.js';
import type { ActualValues } from '../../planner/new-state.js';
import { withLocks } from '../locks.js';
import { outputOf } from './output.js';
import { bodyToSend, callOptions } from './request-parts.js';
import { splitType } from './resource-address.js';
import { withRetries } from './retry.js';

/** The resource azapi_resource_action: calls an action on creation, change or destruction. */
export const resourceAction: ResourceHandler = {
  create: (call) =>
    optionalText(call.planned, 'when') === 'destroy'
      ? Promise.resolve(stateWithoutCall(call.planned))
      : callAction(call, call.planned, call.config),
  update: (call) =>
    optionalText(call.planned, 'when') === 'destroy'
      ? Promise.resolve(stateWithoutCall(call.planned))
      : callAction(call, call.planned, call.config, call.prior),
  // an action has no state to read
  read: () => Promise.resolve({}),
  async delete(call) {
    if (optionalText(call.state, 'when') === 'destroy')
      await callAction(call, call.state, call.state);
  },
  plan: ({ change }) => {
    const { prior, planned } = change;
    if (prior === undefined || planned === prior) return;
    const [before, after] = [
      splitType(textOrEmpty(prior, 'type')).type,
      splitType(textOrEmpty(planned, 'type')).type,
    ];
    if (before.toLowerCase() !== after.toLowerCase()) change.requireReplacement('type');
    change.setUnknown('output', 'sensitive_output', 'exist');
  },
};

/** The data source azapi_resource_action: calls the action at each read. */
export const resourceActionData: DataSourceHandler = (call) =>
  callAction(call, { ...call.config, method: call.config['method'] ?? 'POST' }, call.config);

/** Calls the action and waits until an accepted one has ended, as the official provider does. */
async function callAction(
  context: Context,
  planned: ValueMap,
  config: ValueMap,
  prior?: ValueMap,
): Promise<ActualValues> {
  const { api, signal } = context;
  const { apiVersion } = splitType(textOrEmpty(planned, 'type'));
  const resourceId = textOrEmpty(planned, 'resource_id');
  const [action, method] = [
    optionalText(planned, 'action'),
    optionalText(planned, 'method') ?? 'POST',
  ];
  const body =
    (planned['body'] ?? null) === null && (config['sensitive_body'] ?? null) === null
      ? undefined
      : bodyToSend(planned, config, prior);
  const path = action === undefined ? resourceId : `${resourceId}/${action}`;
  const { headers, query } = callOptions(planned, 'unprefixed', signal);
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
        async () => waitForOutcome<Json | undefined>(http, await http.request(request), { signal }),
        (pause) => http.sleep(pause, signal),
      );
    const answer = await withLocks(textList(planned, 'locks'), send);
    return actionState(planned, path, answer ?? {}, { exist: true });
  } catch (error) {
    if (!isTrue(planned, 'ignore_not_found') || !isServiceError(error, 404)) throw error;
    return actionState(planned, path, {}, { exist: false });
  }
}

/** @param found whether the resource of the action exists. */
function actionState(
  planned: ValueMap,
  id: string,
  answer: Json,
  found: { readonly exist: boolean },
): ActualValues {
  return {
    id,
    method: planned['method'] ?? null,
    output: outputOf(answer, planned['response_export_values'] ?? null, {}),
    sensitive_output: outputOf(answer, planned['sensitive_response_export_values'] ?? null, {}),
    ...('exist' in planned && found),
  };
}

/** The state of an action that is called only when the resource is destroyed. */
function stateWithoutCall(planned: ValueMap): ActualValues {
  const id = textOrEmpty(planned, 'resource_id');
  return { ...actionState(planned, id, {}, { exist: true }), exist: true };
}
