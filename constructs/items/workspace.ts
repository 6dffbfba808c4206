import { workspace } from '../../kinds/workspace/workspace.js';
import { normalizeId } from '../../core/values/guid.js';
import { sandboxCapacity } from '../../core/sandbox/capacity.js';
import type { WorkspaceDeclaration } from '../generated/props.js';
import type { Group } from '../directory/group.js';
import { Principal, objectIdOf } from '../directory/principal.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import type { Construct } from '../internal/cdktf.js';
import { cloudSettings } from '../internal/cloud-settings.js';
import { attributesOf } from '../internal/declared-attributes.js';
import { requireProvider } from '../internal/providers.js';
import { UnboundResource } from '../internal/unbound-resource.js';

/** Who may do what in a workspace. */
export interface WorkspaceRole {
  /** Who gets the role. */
  readonly principal: Principal | Group;
  /** What they may do: `Admin` everything, `Member` and `Contributor` change items, `Viewer` reads them. */
  readonly role: 'Admin' | 'Contributor' | 'Member' | 'Viewer';
}

/** Everything that may be declared of a workspace. */
export interface WorkspaceProps extends Omit<WorkspaceDeclaration, 'roles'> {
  /** Who may do what in the workspace. @default only who creates it, as Admin. */
  readonly roles?: readonly WorkspaceRole[];
}

/**
 * A workspace, which holds eventhouses and eventstreams. Eventhouses need it to have a capacity.
 *
 * @example
 * const telemetry = new Workspace(this, 'telemetry', { displayName: 'Telemetry', capacityId: '…' });
 * @see https://github.com/castellan/castellan/blob/main/docs/reference/items-rules.md, "Workspace items"
 */
export class Workspace extends CastellanConstruct {
  /** The id of the workspace, known after apply. */
  readonly workspaceId: string;
  /** The Terraform resource, for what these props don't say. */
  readonly resource: UnboundResource;

  constructor(scope: Construct, id: string, props: WorkspaceProps) {
    super(scope, id, 'workspaces', props);
    requireProvider(this, 'fabric');
    this.resource = this.withDeclaredName(
      new UnboundResource(this, 'Default', 'fabric_workspace', {
        ...attributesOf(workspace, 'fabric_workspace', { ...props, capacityId: this.capacityOf(props) }),
        identity: props.identity === true ? { type: 'SystemAssigned' } : undefined,
      }),
    );
    this.workspaceId = this.resource.id;
    for (const { principal, role } of props.roles ?? []) this.assign(principal, role);
  }

  /** The declared capacity; in the sandbox, where a workspace names none, the one that is always there. */
  private capacityOf({ capacityId }: WorkspaceProps): string | undefined {
    if (capacityId !== undefined) return capacityId;
    return cloudSettings(this).sandbox === undefined ? undefined : sandboxCapacity.id;
  }

  private assign(principal: Principal | Group, role: string): void {
    new UnboundResource(this, principal.declaration.name, 'fabric_workspace_role_assignment', {
      workspace_id: this.workspaceId,
      principal: { id: objectIdOf(principal), type: principalType(principal) },
      role,
    });
  }
}

function principalType(principal: Principal | Group): string {
  if (!(principal instanceof Principal)) return 'Group';
  const types: Readonly<Record<string, string>> = { user: 'User', servicePrincipal: 'ServicePrincipal' };
  return types[principal.kind] ?? 'Group';
}

/** The workspace of an item: one of the stack, or the id of one that exists already. */
export type WorkspaceReference = Workspace | string;

/** The id of a workspace. */
export function workspaceIdOf(workspace: WorkspaceReference): string {
  return typeof workspace === 'string' ? normalizeId(workspace) : workspace.workspaceId;
}
