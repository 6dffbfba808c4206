import { isObject } from '../../../core/values/is-object.js';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { PlannedResource, ResourcePiece } from '../../engine/planned-resource.js';
import { readElements } from '../json/read-elements.js';
import { pieceOf } from './resource-piece.js';
import { configurationPlace, PlanConfiguration } from './configuration.js';

const change = { element: true };
const places = {
  keys: {
    resource_changes: { items: change },
    deferred_changes: { items: change },
    configuration: configurationPlace,
  },
};
const expected = 'what terraform show -json PLANFILE prints';

/**
 * Reads the resources of a plan (`terraform show -json`) in batches, with constant memory.
 *
 * @param name the file's name in messages.
 * @param configuration gets the plan's configuration while resources are read.
 * @throws CAS7101 when the file cannot be read, is not a plan, ends too early, or contains a failed
 *   plan.
 */
export async function* readPlan(
  file: string,
  name = file,
  configuration = new PlanConfiguration(),
): AsyncGenerator<readonly PlannedResource[]> {
  const refuse = (why: string, cause?: unknown): CastellanError =>
    new CastellanError('CAS7101', `${name} can't be read as a plan: ${why}`, {
      details: { file },
      cause,
    });
  const atEnd = (header: ReadonlyMap<string, string>): void => {
    const why = mistakeIn(header);
    if (why !== undefined) throw refuse(why);
  };
  let index = 0;
  for await (const some of readElements(file, { places, expected, refuse, atEnd })) {
    if (some.place !== change) {
      configuration.take(some);
      continue;
    }
    configuration.startResources();
    const first = index;
    const read = (elements: readonly unknown[], piece: ResourcePiece): readonly PlannedResource[] =>
      elements.map((element, position) => {
        const resource = resourceOf(element, piece, position);
        if (resource !== undefined) return resource;
        throw refuse(
          `resource_changes[${String(first + position)}] is no change of a resource; expected is ${expected}`,
        );
      });
    index += some.elements.length;
    yield pieceOf(some, read);
  }
}

function mistakeIn(header: ReadonlyMap<string, string>): string | undefined {
  const version = header.get('format_version');
  if (
    header.has('lineage') ||
    (header.has('values') && !header.has('planned_values') && !header.has('resource_changes'))
  )
    return 'it is a state; give it with --state';
  if (version === undefined) return `it has no format_version; expected is ${expected}`;
  if (!/^[01]\.\d+$/.test(version))
    return `its format_version is ${JSON.stringify(version)}; known are those from 0.1 to 1.x`;
  if (header.get('errored') === 'true')
    return 'it is incomplete: terraform plan ended with an error';
  return undefined;
}

/** The resource of a change; for a deferred one, the change that Terraform postponed. */
function resourceOf(
  element: unknown,
  piece: ResourcePiece,
  position: number,
): PlannedResource | undefined {
  if (isObject(element) && isObject(element['resource_change']))
    return resourceOf(element['resource_change'], piece, position);
  if (!isObject(element) || !isObject(element['change'])) return undefined;
  const { address, mode, type, name, provider_name: providerName, change, deposed } = element;
  const { previous_address: previousAddress, action_reason: actionReason } = element;
  const {
    actions,
    before,
    after,
    after_unknown: afterUnknown,
    replace_paths: replacePaths,
    importing,
  } = change as Values;
  if (typeof address !== 'string' || typeof type !== 'string' || typeof name !== 'string')
    return undefined;
  if (!isList(actions) || !actions.every((action) => typeof action === 'string')) return undefined;
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
    piece,
    position,
    replacePaths: isList(replacePaths)
      ? replacePaths.filter((path): path is (string | number)[] => isList(path))
      : [],
    ...(typeof previousAddress === 'string' ? { previousAddress } : {}),
    ...(typeof actionReason === 'string' ? { actionReason } : {}),
    ...(typeof deposed === 'string' ? { deposed } : {}),
    ...(typeof importedId === 'string' && importedId !== ''
      ? { liveId: liveIdOf(importedId) }
      : {}),
  };
}

/**
 * The id of the object in the service: newer versions of the official provider put `/groups/`
 * before it.
 */
export function liveIdOf(id: string): string {
  return id.replace(/^\/(groups|users|applications|servicePrincipals)\/(?=[^/]+$)/, '');
}

type Values = Readonly<Record<string, unknown>>;

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
