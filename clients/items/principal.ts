/** Who is behind an item or a role (Items rules, "Principal"), discriminated by `type`; further types may come and pass through. */
export interface Principal {
  readonly id: string;
  readonly type: 'User' | 'ServicePrincipal' | 'Group' | 'ServicePrincipalProfile' | 'EntireTenant' | (string & {});
  readonly displayName?: string;
  readonly userDetails?: { readonly userPrincipalName?: string };
  /** `directoryAppId` in the neutral dialect, `aadAppId` in the azure one. */
  readonly servicePrincipalDetails?: { readonly directoryAppId?: string; readonly aadAppId?: string };
  readonly groupDetails?: { readonly groupType?: 'Unknown' | 'SecurityGroup' | 'DistributionList' | (string & {}) };
  readonly servicePrincipalProfileDetails?: { readonly parentPrincipal?: Principal };
}
