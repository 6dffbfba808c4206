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

/** A role assignment of a workspace. */
export interface WorkspaceRole {
  /** The principal. */
  readonly principal: Principal | Group;
  /**
   * The role: `Admin` can do everything, `Member` and `Contributor` change items, `Viewer` reads
   * them.
   */
  readonly role: 'Admin' | 'Contributor' | 'Member' | 'Viewer';
}

/** The properties of a workspace. */
export interface WorkspaceProps extends Omit<WorkspaceDeclaration, 'roles'> {
  /** The role assignments of the workspace. @default only its creator, as Admin. */
  readonly roles?: readonly WorkspaceRole[];
}

/**
 * A workspace, which contains eventhouses and eventstreams. Eventhouses require a capacity.
 *
 * @example
 * const telemetry = new Workspace(this, 'telemetry', { displayName: 'Telemetry', capacityId: '…' });
 * @see https://github.com/castellan/castellan/blob/main/docs/reference/items-rules.md, "Workspace
 *   items"
 */
export class Workspace extends CastellanConstruct {
  /** The id of the workspace, known after apply. */
  readonly workspaceId: string;
  /** The Terraform resource, for properties that these props lack. */
  readonly resource: UnboundResource;

  constructor(scope: Construct, id: string, props: WorkspaceProps) {
    super(scope, id, 'workspaces', props);
    requireProvider(this, 'fabric');
    this.resource = this.withDeclaredName(
      new UnboundResource(this, 'Default', 'fabric_workspace', {
        ...attributesOf(workspace, 'fabric_workspace', {
          ...props,
          capacityId: this.capacityOf(props),
        }),
        identity: props.identity === true ? { type: 'SystemAssigned' } : undefined,
      }),
    );
    this.workspaceId = this.resource.id;
    for (const { principal, role } of props.roles ?? []) this.assign(principal, role);
  }

  /** The declared capacity; in the sandbox, a workspace without one gets the sandbox's capacity. */
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
  const types: Readonly<Record<string, string>> = {
    user: 'User',
    servicePrincipal: 'ServicePrincipal',
  };
  return types[principal.kind] ?? 'Group';
}

/** The workspace of an item: one of the stack, or the id of an existing one. */
export type WorkspaceReference = Workspace | string;

/** The id of a workspace. */
export function workspaceIdOf(workspace: WorkspaceReference): string {
  return typeof workspace === 'string' ? normalizeId(workspace) : workspace.workspaceId;
}
