import type { GroupProps } from '../../kinds/group/group.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import type { DirectorySnapshot, GroupRecord } from '../directory/records.js';
import type { References } from './references.js';

/** A directory as it is once a stack is applied: its groups are those of the directory, with the declared ones in their place. */
export function withDeclaredGroups(directory: DirectorySnapshot, config: StackConfig, references: References): DirectorySnapshot {
  const declared = new Map(
    Object.entries(config.groups ?? {}).map(([name, props]) => {
      const record = recordOf(name, props, references);
      return [record.id, record] as const;
    }),
  );
  if (declared.size === 0) return directory;
  const others = directory.groups.filter(({ id }) => !declared.has(id));
  return { ...directory, groups: [...declared.values(), ...others] };
}

function recordOf(name: string, props: GroupProps, references: References): GroupRecord {
  const standing = references.standing(name);
  const unified = (props.kind ?? (props.groupTypes?.includes('Unified') === true ? 'unified' : 'security')) === 'unified';
  const rule = props.dynamicMembership?.rule ?? props.membershipRule;
  const processing = props.dynamicMembership?.processing ?? props.membershipRuleProcessingState ?? 'On';
  const elsewhere = props.membersManagedElsewhere === true || (rule === undefined && props.members === undefined);
  const ids = (names: readonly string[] | undefined) => names?.map((each) => references.idOf(each).toLowerCase());
  return {
    id: references.group(name),
    displayName: props.displayName,
    mailNickname: props.mailNickname ?? name,
    ...(props.uniqueName === undefined ? {} : { uniqueName: props.uniqueName }),
    securityEnabled: props.securityEnabled ?? !unified,
    unified,
    ...(rule !== undefined && processing === 'On' ? { rule } : {}),
    public: (props.visibility ?? standingVisibility(standing, unified)) === 'Public',
    members: elsewhere || (rule !== undefined && processing !== 'On') ? (standing?.members ?? []) : (ids(props.members) ?? []),
    owners: props.ownersManagedElsewhere === true ? (standing?.owners ?? []) : (ids(props.owners) ?? standing?.owners ?? []),
    isAssignableToRole: props.isAssignableToRole === true,
    declared: name,
  };
}

function standingVisibility(standing: GroupRecord | undefined, unified: boolean): string {
  return (standing?.public ?? unified) ? 'Public' : 'Private';
}
