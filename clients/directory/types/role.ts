import type { DirectoryObject } from './directory-object.js';

/** An administrative unit. */
export interface AdministrativeUnit extends DirectoryObject {
  readonly displayName: string;
  readonly description?: string | null;
  /** `HiddenMembership` hides its members; null for a public one. */
  readonly visibility?: string | null;
}

/** A role that a principal has over one administrative unit. */
export interface ScopedRoleMembership {
  readonly id: string;
  readonly administrativeUnitId: string;
  /** The object id of an activated directory role. */
  readonly roleId: string;
  /** The principal that has the role. */
  readonly roleMemberInfo: { readonly id: string; readonly displayName?: string | null };
}

/** A directory role; templates have the same shape without `roleTemplateId`. */
export interface DirectoryRole extends DirectoryObject {
  readonly displayName: string;
  readonly description?: string | null;
  readonly roleTemplateId?: string;
}

/** A built-in or custom role of role management. */
export interface RoleDefinition {
  readonly id: string;
  readonly displayName: string;
  readonly description?: string | null;
  readonly isBuiltIn?: boolean;
  readonly isEnabled?: boolean;
  /** For a built-in role the same as `id`. */
  readonly templateId?: string | null;
  readonly version?: string | null;
  readonly rolePermissions: readonly {
    readonly allowedResourceActions: readonly string[];
    /** Limits the actions to some objects; null for all. */
    readonly condition?: string | null;
  }[];
}

/** A role definition assigned to a principal over a scope. */
export interface RoleAssignment {
  readonly id: string;
  readonly roleDefinitionId: string;
  readonly principalId: string;
  /** `/`: the whole directory; `/administrativeUnits/<id>` or `/<object id>`: that part of it. */
  readonly directoryScopeId: string;
}
