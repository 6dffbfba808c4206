import { schemaMessage, schemaMistakes } from '../../schemas/azapi/config-validators.js';
import { normalizeLocation } from '../../schemas/spelling.js';
import { equalValues } from '../../values/equality.js';
import { fromJson, type Json, toJson } from '../../values/json.js';
import { isUnknown, isWhollyKnown, type Value } from '../../values/value.js';
import type { PlannedChange } from '../../planner/plan.js';
import type { PlanCall } from '../handler.js';
import { requiredText, optionalText, textList } from '../read-values.js';
import { isSameJson, isSatisfiedBy, valueAt } from './compare-bodies.js';
import { bodyJson, callOptions, compareOptions } from './request-parts.js';
import { splitType } from './resource-address.js';

/**
 * Types without location, tags and identity, which a plan can set to null once it knows the whole
 * body.
 */
const typesWithoutLocation = ['microsoft.app/containerapps/authconfigs'];

/** The official provider's rules for planning an azapi_resource. */
export async function planResource({
  change,
  api,
  providerConfig,
  signal,
}: PlanCall): Promise<void> {
  requireNameAndParent(change);
  planTypeWithoutLocation(change);
  if ((change.config['body'] ?? null) === null)
    change.set('body', priorIfEqual(change, 'body', fromJson({})));
  if (change.planned['schema_validation_enabled'] !== false) {
    const mistakes = schemaMistakes(change.planned['type'], change.planned['body'] ?? null);
    if (mistakes.length > 0)
      return change.error('Invalid configuration', schemaMessage(mistakes), 'body');
  }
  const { prior } = change;
  if (prior === undefined) return;
  planReplacement(change);
  await planNoChange(change, {
    resourceManager: api.resourceManager,
    ignoresNoOpChanges:
      providerConfig['ignore_no_op_changes'] !== false &&
      process.env['ARM_IGNORE_NO_OP_CHANGES'] !== 'false',
    signal,
  });
  planOutput(change);
  if (change.isUnstoredInputChanged) change.setUnknown('output');
}

function requireNameAndParent(change: PlannedChange): void {
  if (
    change.planned['name'] === null ||
    (isUnknown(change.planned['name']) && (change.config['name'] ?? null) === null)
  )
    change.error(
      'Missing required argument',
      'The argument "name" is required, but no definition was found.',
      'name',
    );
  if ((change.config['parent_id'] ?? null) === null && change.prior === undefined)
    change.error(
      'Missing required argument',
      'The argument "parent_id" is required, but no definition was found.',
      'parent_id',
    );
}

function planTypeWithoutLocation(change: PlannedChange): void {
  const { type } = splitType(requiredText(change.planned, 'type'));
  if (!typesWithoutLocation.includes(type.toLowerCase())) return;
  const isBodyKnown = isWhollyKnown(change.planned['body'] ?? null);
  for (const name of ['location', 'tags']) {
    if ((change.config[name] ?? null) !== null) continue;
    if (isBodyKnown) change.set(name, null);
    else change.setUnknown(name);
  }
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
async function planNoChange(
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
  const { apiVersion } = splitType(requiredText(planned, 'type'));
  const remote = await resourceManager.resources.find<Json>(
    requiredText(prior, 'id'),
    apiVersion,
    callOptions(planned, 'read', signal),
  );
  if (
    remote === undefined ||
    !isSatisfiedBy(bodyJson(planned['body']), remote, compareOptions(planned))
  )
    return;
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
  const versionsType = ['map', 'string'] as const;
  if (
    !isUnchanged ||
    !equalValues(prior['sensitive_body_version'], planned['sensitive_body_version'], versionsType)
  )
    change.setUnknown('output');
}

function priorIfEqual(change: PlannedChange, name: string, value: Value): Value {
  const before = change.prior?.[name];
  return before !== undefined && before !== null && isSameDynamic(before, value) ? before : value;
}
