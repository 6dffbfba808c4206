/** A domain of the tenant; its id is its name. */
export interface Domain {
  readonly id: string;
  readonly authenticationType?: string;
  readonly isAdminManaged?: boolean;
  readonly isDefault?: boolean;
  readonly isInitial?: boolean;
  readonly isRoot?: boolean;
  readonly isVerified?: boolean;
  readonly supportedServices?: readonly string[];
}
