import { group as kind } from '../../../kinds/group/group.js';
import { canonicalValue } from '../../../kinds/schema/find-mistake.js';
import type { Declaration } from '../../engine/stack-index.js';
import { comparedProperties } from '../../rules/live/live-group-drift.js';
import type { LiveGroup, LiveOwner } from '../../model/live-reader.js';

/**
 * The properties with the same name in declarations and the directory: those that a live check
 * requests.
 */
export const liveGroupProperties: readonly string[] = [...comparedProperties, 'groupTypes'];

const kindProperties = ['kind', 'groupTypes', 'mailEnabled', 'securityEnabled'];

/** Converts a live group to a declaration; unset properties are left out. */
export function liveDeclaration(
  name: string,
  group: LiveGroup,
  owners: readonly LiveOwner[],
): Declaration<'groups'> {
  const value: Record<string, unknown> = {};
  for (const property of liveGroupProperties) {
    const liveValue = group[property];
    if (liveValue !== undefined && liveValue !== null && liveValue !== '')
      value[property] = liveValue;
  }
  const { visibility } = value;
  if (typeof visibility === 'string')
    value['visibility'] = canonicalValue(kind.properties.visibility, visibility);
  if (owners.length > 0) value['owners'] = owners.map(({ id }) => id);
  // The directory did not return the kind of a group.
  const unknownPaths =
    value['mailEnabled'] === undefined || value['securityEnabled'] === undefined
      ? kindProperties.map((each) => [each])
      : [];
  return {
    section: 'groups',
    name,
    value,
    unknownPaths,
    origin: { liveId: group.id },
  } as unknown as Declaration<'groups'>;
}
