import type { DeclaredApp } from '../../services/resource-manager/index.js';

interface Configuration {
  readonly ingress?: {
    readonly customDomains?: readonly { readonly name: string }[] | null;
  } | null;
}

/** The custom domains of an app's ingress, in lower case. */
export function customDomainsOf({ properties }: Pick<DeclaredApp, 'properties'>): string[] {
  const { ingress } = (properties['configuration'] ?? {}) as Configuration;
  return (ingress?.customDomains ?? []).map(({ name }) => name.toLowerCase());
}
