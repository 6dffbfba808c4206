/** A domain of the tenant; its id is its name. */
export interface Domain {
  readonly id: string;
  /** `Managed`: the directory checks passwords; `Federated`: another identity provider does. */
  readonly authenticationType?: string;
  /** Whether the tenant manages its DNS records itself, not the cloud. */
  readonly isAdminManaged?: boolean;
  /** Whether new users get it if no domain is chosen. */
  readonly isDefault?: boolean;
  /** Whether the tenant was created with it. */
  readonly isInitial?: boolean;
  /** Whether it is no subdomain of another one. */
  readonly isRoot?: boolean;
  readonly isVerified?: boolean;
  readonly supportedServices?: readonly string[];
}
