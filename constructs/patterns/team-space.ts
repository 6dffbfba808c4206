import type { MemberReference, OwnerReference } from '../directory/group.js';
import type { IPrincipal } from '../directory/references.js';
import { SecurityGroup } from '../directory/security-group.js';
import { Construct } from '../internal/cdktf.js';
import { type MetaArguments, metaArgumentsOfPart } from '../internal/meta-arguments.js';
import { Workspace, type WorkspaceRoleName } from '../items/workspace.js';

/** The properties of a team's space. */
export interface TeamSpaceProps extends Omit<MetaArguments, 'lifecycle'> {
  /** The name of the team and of its workspace; the names of the groups begin with it. */
  readonly displayName: string;
  /** The owners of the groups; two are recommended. */
  readonly owners: readonly OwnerReference[];
  /** Who may change the items of the workspace. @default no one yet */
  readonly members?: readonly MemberReference[] | undefined;
  /** Who may read the items. @default no one yet */
  readonly readers?: readonly MemberReference[] | undefined;
  /** The capacity of the workspace, which eventhouses need. @default none */
  readonly capacityId?: string | undefined;
}

/**
 * The space of a team: a workspace, a group that changes its items, and one that reads them.
 *
 * @example
 * const analysts = new TeamSpace(this, 'analysts', { displayName: 'Analysts', owners: [ada, grace] });
 * analysts.members.addMember(ada);
 */
export class TeamSpace extends Construct {
  /** The group that changes the items. */
  readonly members: SecurityGroup;
  /** The group that reads them. */
  readonly readers: SecurityGroup;
  /** The workspace. */
  readonly workspace: Workspace;

  constructor(scope: Construct, id: string, props: TeamSpaceProps) {
    super(scope, id);
    const { displayName, owners, members, readers, capacityId } = props;
    this.members = new SecurityGroup(this, 'members', {
      displayName: `${displayName} members`,
      description: `Who changes what is in the workspace ${displayName}`,
      owners,
      members,
      ...metaArgumentsOfPart(props, 'members'),
    });
    this.readers = new SecurityGroup(this, 'readers', {
      displayName: `${displayName} readers`,
      description: `Who reads what is in the workspace ${displayName}`,
      owners,
      members: readers,
      ...metaArgumentsOfPart(props, 'readers'),
    });
    this.workspace = new Workspace(this, 'workspace', {
      displayName,
      capacityId,
      ...metaArgumentsOfPart(props, 'workspace'),
    });
    this.grant(this.members, 'Contributor');
    this.grant(this.readers, 'Viewer');
  }

  /** Gives a further principal a role in the workspace. */
  grant(principal: IPrincipal, role: WorkspaceRoleName): void {
    this.workspace.grant(principal, role);
  }
}
