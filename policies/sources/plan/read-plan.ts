import { CastellanError } from '../../../core/errors/castellan-error.js';
import { isObject } from '../../../core/values/is-object.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { PlannedResource } from '../../engine/planned-resource.js';
import { JsonDocument, type JsonObject } from '../json-document.js';
import { PlanConfiguration } from './plan-configuration.js';
import { sensitiveTextsIn } from './sensitive-texts.js';

const expectedInput = 'what terraform show -json PLANFILE prints';

/** The resources of a plan, and its configuration. */
export interface Plan {
  readonly resources: readonly PlannedResource[];
  readonly configuration: PlanConfiguration;
}

/**
 * Reads a plan (`terraform show -json`).
 *
 * @param name the file's name in messages.
 * @throws CAS7101 when the file cannot be read, is not a plan, is larger than 512 MB, ends too
 *   early, or contains a failed plan.
 */
export async function readPlan(file: string, name = file): Promise<Plan> {
  const createError = (why: string, cause?: unknown): CastellanError =>
    new CastellanError('CAS7101', `${name} can't be read as a plan: ${why}`, {
      details: { file },
      cause,
    });
  const plan = await JsonDocument.read(file, { expected: expectedInput, createError });
  const mistake = mistakeIn(plan.root);
  if (mistake !== undefined) throw createError(mistake);
  const resources = ['resource_changes', 'deferred_changes'].flatMap((key) =>
    plan.listAt(plan.root, key).map((change, index) => {
      const resource = resourceOf(change);
      if (resource !== undefined) return resource;
      throw createError(
        `${key}[${String(index)}] is no change of a resource; expected is ${expectedInput}`,
      );
    }),
  );
  return { resources, configuration: PlanConfiguration.readFrom(plan) };
}

function mistakeIn(plan: JsonObject): string | undefined {
  if (
    'lineage' in plan ||
    ('values' in plan && !('planned_values' in plan) && !('resource_changes' in plan))
  )
    return 'it is a state; give it with --state';
  if ('encrypted_data' in plan) return openTofuEncryptionMessage;
  const { format_version: version } = plan;
  if (version === undefined) return `it has no format_version; expected is ${expectedInput}`;
  if (!isKnownFormat(version))
    return `its format_version is ${JSON.stringify(version)}; known are those from 0.1 to 1.x`;
  if (plan['errored'] === true) return 'it is incomplete: terraform plan ended with an error';
  return undefined;
}

/** Why a plan or state that OpenTofu encrypted can not be read as it is. */
export const openTofuEncryptionMessage =
  'it is encrypted by OpenTofu; expected is what tofu show -json prints';

/** Whether this is a version of the format of `terraform show -json` that can be read. */
export function isKnownFormat(version: unknown): boolean {
  return typeof version === 'string' && /^[01]\.\d+$/.test(version);
}

/** The resource of a change; for a deferred one, the change that Terraform postponed. */
function resourceOf(element: JsonObject): PlannedResource | undefined {
  if (isObject(element['resource_change'])) return resourceOf(element['resource_change']);
  const { address, mode, type, name, provider_name: providerName, change, deposed } = element;
  if (!isObject(change)) return undefined;
  const { previous_address: previousAddress, action_reason: actionReason } = element;
  const {
    actions,
    before,
    after,
    after_unknown: afterUnknown,
    before_sensitive: beforeSensitive,
    after_sensitive: afterSensitive,
    replace_paths: replacePaths,
    importing,
  } = change;
  if (typeof address !== 'string' || typeof type !== 'string' || typeof name !== 'string')
    return undefined;
  if (!isList(actions) || !actions.every((action) => typeof action === 'string')) return undefined;
  const sensitiveTexts = [
    ...sensitiveTextsIn(before, beforeSensitive),
    ...sensitiveTextsIn(after, afterSensitive),
  ];
  const importedId = isObject(importing) ? importing['id'] : undefined;
  return {
    address,
    mode: mode === 'data' || mode === 'ephemeral' ? mode : 'managed',
    type,
    name,
    providerName: typeof providerName === 'string' ? providerName : '',
    actions,
    before: before ?? null,
    after: after ?? null,
    afterUnknown,
    replacePaths: isList(replacePaths)
      ? replacePaths.filter((path): path is (string | number)[] => isList(path))
      : [],
    ...omitUndefined({
      sensitiveTexts: sensitiveTexts.length === 0 ? undefined : sensitiveTexts,
      previousAddress: textOrUndefined(previousAddress),
      actionReason: textOrUndefined(actionReason),
      deposed: textOrUndefined(deposed),
      liveId: importedId === '' ? undefined : liveIdOf(textOrUndefined(importedId)),
    }),
  };
}

/**
 * The id of the object in the service: newer versions of the official provider put `/groups/`
 * before it.
 */
export function liveIdOf(id: string): string;
export function liveIdOf(id: string | undefined): string | undefined;
export function liveIdOf(id: string | undefined): string | undefined {
  return id?.replace(/^\/(groups|users|applications|servicePrincipals)\/(?=[^/]+$)/, '');
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
