import type { DeclaredApp } from '../../services/resource-manager/index.js';

interface Configuration {
  readonly ingress?: {
    readonly customDomains?: readonly { readonly name: string }[] | null;
  } | null;
}

/** The domains of an app, in lower case. */
export function customDomainsOf({ properties }: Pick<DeclaredApp, 'properties'>): string[] {
  const { ingress } = (properties['configuration'] ?? {}) as Configuration;
  return (ingress?.customDomains ?? []).map(({ name }) => name.toLowerCase());
}
