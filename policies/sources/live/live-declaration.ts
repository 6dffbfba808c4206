import type { Declaration } from '../../engine/stack-index.js';
import type { LiveGroup, LiveOwner } from '../../model/live-reader.js';

/** The properties of a group that a declaration and the directory call by one name: what a live look asks for. */
export const liveGroupProperties = [
  'displayName',
  'description',
  'mailNickname',
  'mailEnabled',
  'securityEnabled',
  'groupTypes',
  'visibility',
  'classification',
  'membershipRule',
  'membershipRuleProcessingState',
  'isAssignableToRole',
  'preferredDataLocation',
  'preferredLanguage',
  'theme',
] as const;

const kindProperties = ['kind', 'groupTypes', 'mailEnabled', 'securityEnabled'];

const visibilities: Readonly<Record<string, string>> = { hiddenmembership: 'HiddenMembership', private: 'Private', public: 'Public' };

/** A live group, as castellan.yaml would declare it: what is not set is not declared. */
export function liveDeclaration(name: string, group: LiveGroup, owners: readonly LiveOwner[]): Declaration<'groups'> {
  const value: Record<string, unknown> = {};
  for (const property of liveGroupProperties) {
    const own = group[property];
    if (own !== undefined && own !== null && own !== '') value[property] = own;
  }
  const visibility = String(value['visibility']).toLowerCase();
  if (value['visibility'] !== undefined) value['visibility'] = visibilities[visibility] ?? value['visibility'];
  if (owners.length > 0) value['owners'] = owners.map(({ id }) => id);
  // The directory did not return the kind of a group.
  const unknownPaths =
    value['mailEnabled'] === undefined || value['securityEnabled'] === undefined ? kindProperties.map((each) => [each]) : [];
  return { section: 'groups', name, value, unknownPaths, origin: { liveId: group.id } } as unknown as Declaration<'groups'>;
}
