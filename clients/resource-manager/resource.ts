/** What every resource carries. Property names and shapes are the cloud's; unknown ones are kept. */
export interface Resource<Properties = Readonly<Record<string, unknown>>> {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly location?: string;
  readonly tags?: Readonly<Record<string, string>> | null;
  readonly identity?: ResourceIdentity;
  readonly properties?: Properties;
}

/** What is sent to create or replace a resource: the answer's id, name and type may stand in it and are not looked at. */
export type ResourceBody<Properties = Readonly<Record<string, unknown>>> = Partial<Resource<Properties>> &
  Readonly<Record<string, unknown>>;

/** Managed identities of a resource. */
export interface ResourceIdentity {
  readonly type: string;
  readonly principalId?: string;
  readonly tenantId?: string;
  readonly userAssignedIdentities?: Readonly<Record<string, { readonly principalId?: string; readonly clientId?: string }>> | null;
}

/** A secret of a container app with its value, as `listSecrets` gives it. */
export interface ContainerAppSecret {
  readonly name: string;
  readonly value?: string;
  readonly identity?: string;
  readonly keyVaultUrl?: string;
}

/** An open record of the cloud's properties. */
export type Properties = Readonly<Record<string, unknown>>;

/** Properties of a container app that callers look at; all others stand beside them as they came. */
export interface ContainerAppProperties extends Properties {
  readonly provisioningState?: string;
  readonly managedEnvironmentId?: string;
  readonly latestRevisionName?: string;
  readonly latestRevisionFqdn?: string;
  readonly outboundIpAddresses?: readonly string[];
  readonly customDomainVerificationId?: string;
  readonly workloadProfileName?: string | null;
  readonly configuration?: Properties & { readonly ingress?: (Properties & { readonly fqdn?: string }) | null };
  readonly template?: Properties;
}

/** Properties of a managed environment that callers look at. */
export interface ManagedEnvironmentProperties extends Properties {
  readonly provisioningState?: string;
  readonly defaultDomain?: string;
  readonly staticIp?: string;
  readonly customDomainConfiguration?: { readonly customDomainVerificationId?: string };
}

/** Properties of a log analytics workspace that callers look at. */
export interface LogWorkspaceProperties extends Properties {
  readonly provisioningState?: string;
  readonly customerId?: string;
  readonly retentionInDays?: number;
  readonly sku?: { readonly name: string };
}

/** Properties of a user-assigned identity. */
export interface IdentityProperties extends Properties {
  readonly principalId?: string;
  readonly clientId?: string;
  readonly tenantId?: string;
}

/** The keys of a log analytics workspace. */
export interface SharedKeys {
  readonly primarySharedKey: string;
  readonly secondarySharedKey: string;
}
