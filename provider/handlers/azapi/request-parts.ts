import type { CallOptions } from '../../../clients/resource-manager/index.js';
import { type Json, toJson } from '../../values/json.js';
import { isList, isMap, type Value, type ValueMap } from '../../values/value.js';
import { textList, textMap } from '../read-values.js';
import { type CompareOptions, mergeBodies } from './compare-bodies.js';
import { isObject } from '../../../core/values/is-object.js';

/**
 * The headers and query options of a resource for one kind of request.
 *
 * @param kind `unprefixed` for a resource that has the same ones for all of its requests.
 */
export function callOptions(
  resource: ValueMap,
  kind: 'create' | 'read' | 'update' | 'delete' | 'unprefixed',
  signal: AbortSignal,
): CallOptions {
  const prefix = kind === 'unprefixed' ? '' : `${kind}_`;
  const headers = textMap(resource, `${prefix}headers`);
  const query = resource[`${prefix}query_parameters`];
  const options = isMap(query)
    ? Object.entries(query).map(([name, values]): [string, string] => [
        name,
        isList(values) ? values.map(String).join(',') : '',
      ])
    : [];
  return {
    signal,
    ...(Object.keys(headers).length !== 0 && { headers }),
    ...(options.length !== 0 && { query: Object.fromEntries(options) }),
  };
}

/** The compare options of a resource. */
export function compareOptions(resource: ValueMap): CompareOptions {
  return {
    ignoreCasing: resource['ignore_casing'] === true,
    ignoreMissing: resource['ignore_missing_property'] !== false,
    ignoreNull: resource['ignore_null_property'] === true,
    listIds: textMap(resource, 'list_unique_id_property'),
    openLists: textList(resource, 'ignore_other_items_in_list'),
  };
}

/** A body as JSON; an empty object by default. */
export function bodyJson(value: Value | undefined): Json {
  return value === null || value === undefined ? {} : toJson(value);
}

/**
 * The body to send: the planned one merged with `sensitive_body`, which only the configuration has.
 * With `sensitive_body_version`, only paths with a changed version are sent.
 */
export function bodyToSend(planned: ValueMap, config: ValueMap, prior: ValueMap | undefined): Json {
  const body = bodyJson(planned['body']);
  const options = compareOptions(planned);
  const sensitiveBody = config['sensitive_body'] ?? null;
  if (sensitiveBody === null) return body;
  const versions = textMap(planned, 'sensitive_body_version');
  if (Object.keys(versions).length === 0) return mergeBodies(body, toJson(sensitiveBody), options);
  const priorVersions = textMap(prior, 'sensitive_body_version');
  const changedPaths = Object.keys(versions).filter(
    (path) => versions[path] !== priorVersions[path],
  );
  let merged = body;
  for (const path of changedPaths)
    merged = mergeBodies(merged, pickPath(toJson(sensitiveBody), path.split('.')), options);
  return merged;
}

/**
 * The `sensitive_body` whose changes are planned; null if `sensitive_body_version` says what has
 * changed.
 */
export function versionlessSensitiveBody(config: ValueMap): Value {
  return (config['sensitive_body_version'] ?? null) === null
    ? (config['sensitive_body'] ?? null)
    : null;
}

/** The names of the properties that `sensitive_body` sets, without their values. */
export function sensitiveBodyNames(config: ValueMap): Json {
  const sensitiveBody = config['sensitive_body'] ?? null;
  return sensitiveBody === null ? {} : namesOf(toJson(sensitiveBody));
}

function namesOf(document: Json): Json {
  return isObject(document)
    ? Object.fromEntries(Object.entries(document).map(([name, value]) => [name, namesOf(value)]))
    : null;
}

/** A document with only the value at a path. */
function pickPath(document: Json, [name = '', ...rest]: readonly string[]): Json {
  if (!isObject(document) || !(name in document)) return {};
  const value = document[name] ?? null;
  return { [name]: rest.length === 0 ? value : pickPath(value, rest) };
}
