import { schemaMessage, schemaMistakes } from '../../schemas/azapi/config-validators.js';
import { isObject } from '../../../core/values/is-object.js';
import { normalizeLocation } from '../../schemas/spelling.js';
import { equalValues } from '../../values/equality.js';
import { fromJson, type Json, toJson } from '../../values/json.js';
import { isMap, isWhollyKnown, unknown, type Value, type ValueMap } from '../../values/value.js';
import type { PlannedChange } from '../../planner/plan.js';
import type { PlanCall } from '../handler.js';
import { blocks, differsIn, textOrEmpty, optionalText, textList } from '../read-values.js';
import { isSameJson, isSatisfiedBy, mergeBodies, valueAt } from './compare-bodies.js';
import { bodyJson, callOptions, compareOptions } from './request-parts.js';
import { hasLocation, splitType } from './resource-address.js';
import { tagTexts } from './stored-resource.js';

/** The official provider's rules for planning an azapi_resource. */
export async function planResource({
  change,
  api,
  providerConfig,
  signal,
}: PlanCall): Promise<void> {
  planName(change, providerConfig);
  planParent(change, api.identity.subscriptionId);
  if ((change.config['body'] ?? null) === null)
    change.set('body', priorIfEqual(change, 'body', fromJson({})));
  if (change.planned['schema_validation_enabled'] !== false) {
    const mistakes = schemaMistakes(change.planned['type'], change.planned['body'] ?? null);
    if (mistakes.length > 0)
      return change.error('Invalid configuration', schemaMessage(mistakes), 'body');
  }
  planTopLevelProperties(change, providerConfig);
  const { prior } = change;
  if (prior === undefined) return;
  planReplacement(change);
  await ignoreNoOpChange(change, {
    resourceManager: api.resourceManager,
    ignoresNoOpChanges:
      providerConfig['ignore_no_op_changes'] !== false &&
      process.env['ARM_IGNORE_NO_OP_CHANGES'] !== 'false',
    signal,
  });
  planOutput(change);
  if (change.isUnstoredInputChanged) change.setUnknown('output');
}

/** A resource without a name has that of the provider's configuration. */
function planName(change: PlannedChange, { default_name: defaultName = null }: ValueMap): void {
  if ((change.config['name'] ?? null) !== null) return;
  if (defaultName === null)
    return change.error(
      'Missing required argument',
      'The argument "name" is required, but no definition was found.',
      'name',
    );
  change.set('name', defaultName);
  if (change.prior?.['name'] !== defaultName) change.requireReplacement('name');
}

/** A resource group without a parent is one of the provider's subscription. */
function planParent(change: PlannedChange, subscriptionId: string): void {
  if (change.prior === undefined && (change.config['parent_id'] ?? null) === null)
    change.set('parent_id', `/subscriptions/${subscriptionId}`);
}

/**
 * Plans location, tags and identity that are not configured as arguments: by the body, then by the
 * provider's configuration. Otherwise tags are removed, and the location stays.
 */
function planTopLevelProperties(change: PlannedChange, providerConfig: ValueMap): void {
  const { config, planned, prior } = change;
  const body = planned['body'] ?? null;
  const isConfigured = (name: string): boolean => (config[name] ?? null) !== null;
  if (isWhollyKnown(body)) {
    const bodyObject = bodyJson(body);
    const { location, tags } = isObject(bodyObject) ? bodyObject : {};
    const { default_location: defaultLocation = null, default_tags: defaultTags = null } =
      hasLocation(textOrEmpty(planned, 'type')) ? providerConfig : {};
    if (!isConfigured('location'))
      change.set(
        'location',
        typeof location === 'string' ? location : (prior?.['location'] ?? defaultLocation),
      );
    if (!isConfigured('tags'))
      change.set(
        'tags',
        isObject(tags) ? tagTexts(tags) : (defaultTags ?? emptyMapOrNull(prior?.['tags'])),
      );
  } else change.setUnknown(...['location', 'tags'].filter((name) => !isConfigured(name)));
  if (prior !== undefined) planIdentity(change, prior);
}

/** An empty map of tags stays: services do not tell it from none. */
function emptyMapOrNull(tags: Value | undefined): Value {
  return isMap(tags) && Object.keys(tags).length === 0 ? tags : null;
}

/** Another identity has other ids, which the service chooses. */
function planIdentity(change: PlannedChange, prior: ValueMap): void {
  const [[before], [after]] = [blocks(prior, 'identity'), blocks(change.planned, 'identity')];
  if (
    after === undefined ||
    (before !== undefined && !differsIn(before, after, 'type', 'identity_ids'))
  )
    return;
  change.set('identity', [{ ...after, principal_id: unknown, tenant_id: unknown }]);
}

function planReplacement(change: PlannedChange): void {
  const { prior, planned } = change;
  if (prior === undefined) return;
  const [before, after] = [optionalText(prior, 'location'), optionalText(planned, 'location')];
  if (
    before !== undefined &&
    after !== undefined &&
    normalizeLocation(before) !== normalizeLocation(after)
  )
    change.requireReplacement('location');
  const [oldTriggers, newTriggers] = [
    prior['replace_triggers_external_values'] ?? null,
    planned['replace_triggers_external_values'] ?? null,
  ];
  if (oldTriggers !== null && newTriggers !== null && !isSameDynamic(oldTriggers, newTriggers))
    change.requireReplacement('replace_triggers_external_values');
  const [oldBody, newBody] = [prior['body'] ?? null, planned['body'] ?? null];
  if (!isWhollyKnown(newBody) || !isWhollyKnown(oldBody)) return;
  const isTriggered = textList(planned, 'replace_triggers_refs').some(
    (path) => !isSameJson(valueAt(bodyJson(oldBody), path), valueAt(bodyJson(newBody), path)),
  );
  if (isTriggered) change.requireReplacement('body');
}

function isSameDynamic(a: Value, b: Value): boolean {
  if (!isWhollyKnown(a) || !isWhollyKnown(b)) return equalValues(a, b, 'dynamic');
  return isSameJson(toJson(a), toJson(b));
}

/**
 * A body that the service already satisfies is no change, even if the state differs; then neither
 * is another api-version.
 */
async function ignoreNoOpChange(
  change: PlannedChange,
  {
    resourceManager,
    ignoresNoOpChanges,
    signal,
  }: {
    resourceManager: PlanCall['api']['resourceManager'];
    ignoresNoOpChanges: boolean;
    signal: AbortSignal;
  },
): Promise<void> {
  const { prior, planned } = change;
  if (prior === undefined || change.requiresReplace.length > 0) return;
  const isBodyChanged = !isSameDynamic(prior['body'] ?? null, planned['body'] ?? null);
  if (!isBodyChanged && !equalValues(prior['body'], planned['body'], 'dynamic'))
    change.set('body', prior['body'] ?? null); // a list and a tuple of the same items
  if (
    (!isBodyChanged && prior['type'] === planned['type']) ||
    !isWhollyKnown(planned['body'] ?? null) ||
    !ignoresNoOpChanges
  )
    return;
  const { apiVersion } = splitType(textOrEmpty(planned, 'type'));
  const remote = await resourceManager.resources.find<Json>(
    textOrEmpty(prior, 'id'),
    apiVersion,
    callOptions(planned, 'read', signal),
  );
  if (remote === undefined) return;
  // what the service left out has the value of the state: secrets are never returned
  const current = mergeBodies(remote, bodyJson(prior['body']));
  const options = { ...compareOptions(planned), ignoreMissing: false };
  if (!isSatisfiedBy(bodyJson(planned['body']), current, options)) return;
  change.set('body', prior['body'] ?? null);
  change.set('type', prior['type'] ?? null);
}

/** Marks `output` as unknown if sent or exported properties change: it depends on the service. */
function planOutput(change: PlannedChange): void {
  const { prior, planned } = change;
  if (prior === undefined) return;
  const isUnchanged =
    ['body', 'response_export_values'].every((name) =>
      isSameDynamic(prior[name] ?? null, planned[name] ?? null),
    ) && prior['type'] === planned['type'];
  if (!isUnchanged || differsIn(prior, planned, 'sensitive_body_version', 'tags', 'identity'))
    change.setUnknown('output');
}

function priorIfEqual(change: PlannedChange, name: string, value: Value): Value {
  const before = change.prior?.[name];
  return before !== undefined && before !== null && isSameDynamic(before, value) ? before : value;
}
