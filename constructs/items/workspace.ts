import { CheckedConstruct } from '../stack/checked-construct.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { workspace } from '../../kinds/workspace/workspace.js';
import { normalizeId } from '../../core/values/guid.js';
import { sandboxCapacity } from '../../core/sandbox/capacity.js';
import type { WorkspaceDeclaration } from '../generated/props.js';
import { type IPrincipal, objectIdOf, principalTypeOf } from '../directory/references.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import { Construct, Lazy, TerraformStack, Token } from '../internal/cdktf.js';
import { cloudSettings } from '../internal/cloud-settings.js';
import { toOwnBindingConfig } from '../internal/binding-config.js';
import { escapeInterpolation } from '../internal/interpolation.js';
import { withTypedTokens } from '../internal/typed-tokens.js';
import { applyMetaArguments, type MetaArguments, providerFor } from '../internal/meta-arguments.js';
import { MovedBlocks } from '../internal/moved-blocks.js';
import { requireProviders } from '../internal/providers.js';
import { DataFabricWorkspace } from '../generated/lib/fabric/data-fabric-workspace.js';
import { FabricWorkspace, type FabricWorkspaceConfig } from '../generated/lib/fabric/workspace.js';
import { FabricWorkspaceRoleAssignment } from '../generated/lib/fabric/workspace-role-assignment.js';

/** The roles in a workspace, from the one with all rights to the one that only reads. */
export type WorkspaceRoleName = 'Admin' | 'Member' | 'Contributor' | 'Viewer';

/** A role assignment of a workspace. */
export interface WorkspaceRole {
  /** The principal. */
  readonly principal: IPrincipal;
  /**
   * The role: `Admin` can do everything, `Member` and `Contributor` change items, `Viewer` reads
   * them.
   */
  readonly role: WorkspaceRoleName;
}

/** A workspace, of this stack or not. */
export interface IWorkspace {
  /** The id of the workspace. */
  readonly workspaceId: string;
}

/** The properties of a workspace. */
export interface WorkspaceProps extends Omit<WorkspaceDeclaration, 'roles'>, MetaArguments {
  /** The role assignments of the workspace. @default only its creator, as Admin. */
  readonly roles?: readonly WorkspaceRole[] | undefined;
}

/**
 * A workspace, which contains eventhouses and eventstreams. Eventhouses require a capacity.
 *
 * @example
 * const workspace = new Workspace(this, 'telemetry', { displayName: 'Telemetry', capacityId: '…' });
 * workspace.grant(shoppers, 'Viewer');
 * @see https://github.com/castellan/castellan/blob/main/docs/reference/items-rules.md, "Workspace
 *   items"
 */
export class Workspace extends CheckedConstruct implements IWorkspace {
  /** The id of the workspace, known after apply. */
  readonly workspaceId: string;
  /** The Terraform resource, for properties that these props lack. */
  readonly resource: FabricWorkspace;
  #roles: readonly WorkspaceRole[];

  /**
   * A workspace that exists already, by id; nothing is looked up.
   *
   * @example
   * const shared = Workspace.fromWorkspaceId(this, 'shared', '11111111-2222-4333-8444-555555555555');
   */
  static fromWorkspaceId(scope: Construct, id: string, workspaceId: string): IWorkspace {
    return new ExistingWorkspace(scope, id, normalizeId(workspaceId));
  }

  /** A workspace that exists already, looked up by display name when the stack is planned. */
  static fromDisplayName(
    scope: Construct,
    id: string,
    displayName: string,
    meta: MetaArguments = {},
  ): IWorkspace {
    requireProviders(scope, { fabric: providerFor('fabric', meta.provider) });
    const lookedUp = new LookedUpWorkspace(scope, id, {
      displayName: escapeInterpolation(displayName),
    });
    applyMetaArguments(lookedUp, meta);
    return lookedUp;
  }

  constructor(scope: Construct, id: string, declared: WorkspaceProps) {
    const props = withTypedTokens(scope, 'workspaces', declared, id);
    super(scope, id, 'workspaces', { ...props, roles: props.roles?.map(toDeclaredRole) });
    this.requireProvider('fabric');
    this.resource = this.withLogicalIdOfConstruct(
      new FabricWorkspace(this, 'Default', {
        ...toOwnBindingConfig<FabricWorkspaceConfig>(workspace, 'fabric_workspace', {
          ...props,
          capacityId: this.capacityOf(props),
        }),
        identity: props.identity === true ? { type: 'SystemAssigned' } : undefined,
      }),
    );
    this.workspaceId = this.resource.id;
    this.#roles = props.roles ?? [];
    for (const { principal, role } of this.#roles) this.createRoleAssignment(principal, role);
  }

  /**
   * Gives a user, a group or a service principal a role in the workspace.
   *
   * @throws CAS2012 when the type of the principal is not known.
   */
  grant(principal: IPrincipal, role: WorkspaceRoleName): void {
    this.#roles = [...this.#roles, { principal, role }];
    this.declare({ roles: this.#roles.map(toDeclaredRole) });
    this.createRoleAssignment(principal, role);
  }

  /** The declared capacity; in the sandbox, a workspace without one gets the sandbox's capacity. */
  private capacityOf({ capacityId }: WorkspaceProps): string | undefined {
    if (capacityId !== undefined) return capacityId;
    return cloudSettings(this).sandbox === undefined ? undefined : sandboxCapacity.id;
  }

  private createRoleAssignment(principal: IPrincipal, role: string): void {
    const type = principalTypeOf(principal);
    // the rule workspace-roles reports declared principals that can't have a role
    if (type === undefined && principal instanceof CastellanConstruct) return;
    if (type === undefined)
      throw new CastellanError(
        'CAS2012',
        `${this.node.path}: the type of ${typeof principal === 'string' ? 'a principal of its roles' : `the principal ${principal.objectId}`} is not known; give it a principalType: 'Group', 'User' or 'ServicePrincipal'`,
      );
    const assignment = this.withLogicalIdOfPath(
      new FabricWorkspaceRoleAssignment(this, this.freeRoleId(principal), {
        workspaceId: this.workspaceId,
        principal: { id: objectIdOf(principal), type },
        role,
      }),
    );
    const formerPaths = principal instanceof CastellanConstruct ? principal.formerPaths : [];
    // a path with a colon is in another stack: `stack:path`
    const pathsInStack = formerPaths.filter((path) => !path.includes(':'));
    if (pathsInStack.length > 0)
      MovedBlocks.of(this).addResource(assignment, pathsInStack.map(pathToId));
  }

  /**
   * The construct id of a new role assignment, with a number where a child has the id: principals
   * `a/b` and `a-b`, or a second role, which the rule workspace-roles reports.
   */
  private freeRoleId(principal: IPrincipal): string {
    const id = this.roleAssignmentId(principal);
    const isFree = this.node.tryFindChild(id) === undefined;
    return isFree ? id : `${id}-${this.node.children.length}`;
  }

  /**
   * The construct id of a role assignment: the name, path or object id of its principal, or a number
   * where the object id is not known before apply.
   */
  private roleAssignmentId(principal: IPrincipal): string {
    if (principal instanceof CastellanConstruct)
      return pathToId(principal.nameSeenFrom(TerraformStack.of(this)));
    if (Construct.isConstruct(principal)) return pathToId(principal.node.path);
    return Token.isUnresolved(principal.objectId)
      ? `role-${this.node.children.length}`
      : principal.objectId;
  }
}

/** A path as a construct's id, which can't contain slashes. */
function pathToId(path: string): string {
  return path.replaceAll('/', '-');
}

/** A workspace that was looked up. */
class LookedUpWorkspace extends DataFabricWorkspace implements IWorkspace {
  get workspaceId(): string {
    return this.id;
  }
}

/** A workspace that the stack does not create. */
class ExistingWorkspace extends Construct implements IWorkspace {
  constructor(
    scope: Construct,
    id: string,
    readonly workspaceId: string,
  ) {
    super(scope, id);
  }
}

/** The workspace of an item: one of the stack, or the id of an existing one. */
export type WorkspaceReference = IWorkspace | string;

/** The id of a workspace. */
export function workspaceIdOf(workspace: WorkspaceReference): string {
  return typeof workspace === 'string' ? normalizeId(workspace) : workspace.workspaceId;
}

/** A workspace in the form of castellan.yaml: an existing one is its id there. */
export function toDeclaredWorkspace(workspace: WorkspaceReference): WorkspaceReference {
  return workspace instanceof CastellanConstruct ? workspace : workspaceIdOf(workspace);
}

/**
 * A role in the form of castellan.yaml. The object id of a principal that is no construct, but has
 * a type, becomes a token: rules would take the id itself for the name of a declared principal.
 */
function toDeclaredRole({ principal, role }: WorkspaceRole): object {
  const hasOnlyId = !Construct.isConstruct(principal) && principalTypeOf(principal) !== undefined;
  return {
    principal: hasOnlyId ? Lazy.stringValue({ produce: () => principal.objectId }) : principal,
    role,
  };
}
