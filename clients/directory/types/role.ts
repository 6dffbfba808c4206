import type { DirectoryObject } from './directory-object.js';

/** An administrative unit. */
export interface AdministrativeUnit extends DirectoryObject {
  readonly displayName: string;
  readonly description?: string | null;
  readonly visibility?: string | null;
}

/** A role that a principal has over one administrative unit. */
export interface ScopedRoleMembership {
  readonly id: string;
  readonly administrativeUnitId: string;
  readonly roleId: string;
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
  readonly templateId?: string | null;
  readonly version?: string | null;
  readonly rolePermissions: readonly {
    readonly allowedResourceActions: readonly string[];
    readonly condition?: string | null;
  }[];
}

/** A role definition assigned to a principal over a scope: `/` or `/<object id>`. */
export interface RoleAssignment {
  readonly id: string;
  readonly roleDefinitionId: string;
  readonly principalId: string;
  readonly directoryScopeId: string;
}
