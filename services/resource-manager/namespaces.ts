import { kinds } from './kinds/index.js';
import type { Json } from './store.js';

/** Namespaces that clients look for besides those of the kinds. */
const others = ['Microsoft.Resources', 'Microsoft.Billing', 'Microsoft.Authorization', 'Microsoft.Features'];

/** A resource provider as answers show it. Every one is registered: there is nothing to wait for here. */
export function presentNamespace(subscription: string, namespace: string): Json {
  const own = kinds.filter(({ type }) => type.toLowerCase().startsWith(`${namespace.toLowerCase()}/`));
  const spelled = own[0]?.type.split('/')[0] ?? others.find((other) => other.toLowerCase() === namespace.toLowerCase()) ?? namespace;
  return {
    id: `/subscriptions/${subscription}/providers/${spelled}`,
    namespace: spelled,
    registrationPolicy: 'RegistrationRequired',
    registrationState: 'Registered',
    resourceTypes: own.map(({ type, apiVersions }) => ({
      resourceType: type.split('/').slice(1).join('/'),
      locations: [],
      apiVersions: [...apiVersions].reverse(),
      capabilities: 'None',
    })),
  };
}

/** All of them. */
export function presentNamespaces(subscription: string): Json[] {
  const own = kinds.map(({ type }) => type.split('/')[0] as string);
  return [...new Set([...own, ...others])].sort().map((namespace) => presentNamespace(subscription, namespace));
}
