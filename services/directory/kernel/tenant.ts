/** What is true for the whole directory. */
export interface Tenant {
  readonly id: string;
  readonly displayName: string;
  /** The domain that a unified group's address is made with. */
  readonly defaultDomain: string;
}

/** The one tenant of a directory service. */
export const tenant: Tenant = {
  id: '7f0c2a54-6d2b-4f0e-9a43-5b8f3a1de201',
  displayName: 'Castellan',
  defaultDomain: 'castellan.example',
};
