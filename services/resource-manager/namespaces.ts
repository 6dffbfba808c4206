import { conflict } from './errors.js';
import { kinds } from './kinds/index.js';
import type { Json, ResourceStore } from './store.js';

/** Namespaces without own kinds that clients look up. */
const otherNamespaces = [
  'Microsoft.Resources',
  'Microsoft.Billing',
  'Microsoft.Authorization',
  'Microsoft.Features',
  'Microsoft.Insights',
  'Microsoft.Storage',
  'Microsoft.KeyVault',
  'Microsoft.ContainerRegistry',
  'Microsoft.Network',
];

/**
 * The resource providers of subscriptions, by their namespaces. All are registered until the
 * subscription unregisters them.
 */
export class Namespaces {
  constructor(private readonly store: ResourceStore) {}

  /** A resource provider in an answer. */
  async get(subscription: string, namespace: string): Promise<Json> {
    let state = (await this.store.namespaceState(subscription, namespace)) ?? 'Registered';
    // Changes that take minutes in the cloud are complete at the next read.
    if (state === 'Unregistering') state = 'Unregistered';
    if (state === 'Registering') state = 'Registered';
    return presentNamespace(subscription, namespace, state);
  }

  /** All resource providers of a subscription, by name. */
  async list(subscription: string): Promise<Json[]> {
    const ownNamespaces = kinds.map(({ type }) => type.split('/')[0] as string);
    return Promise.all(
      [...new Set([...ownNamespaces, ...otherNamespaces])]
        .sort()
        .map((namespace) => this.get(subscription, namespace)),
    );
  }

  /**
   * Registers or unregisters a resource provider.
   *
   * @param action `register` or `unregister`.
   */
  async change(subscription: string, namespace: string, action: string): Promise<Json> {
    const { registrationState } = await this.get(subscription, namespace);
    const target = action === 'register' ? 'Registered' : 'Unregistered';
    if (registrationState === target) return this.get(subscription, namespace);
    const state = action === 'register' ? 'Registering' : 'Unregistering';
    await this.store.setNamespaceState(subscription, namespace, state);
    return presentNamespace(subscription, namespace, state);
  }
}

/** @throws ArmError 409 when the subscription has unregistered the type's namespace. */
export async function requireRegistered(
  store: ResourceStore,
  { subscription, type }: { subscription: string; type: string },
): Promise<void> {
  const namespace = type.split('/')[0] ?? '';
  if (!(await store.namespaceState(subscription, namespace))?.startsWith('Unregister')) return;
  throw conflict(
    'MissingSubscriptionRegistration',
    `The subscription is not registered to use namespace '${namespace}'.`,
  );
}

function presentNamespace(
  subscription: string,
  namespace: string,
  registrationState: string,
): Json {
  const ownKinds = kinds.filter(({ type }) =>
    type.toLowerCase().startsWith(`${namespace.toLowerCase()}/`),
  );
  const spelling =
    ownKinds[0]?.type.split('/')[0] ??
    otherNamespaces.find((other) => other.toLowerCase() === namespace.toLowerCase()) ??
    namespace;
  return {
    id: `/subscriptions/${subscription}/providers/${spelling}`,
    namespace: spelling,
    registrationPolicy: 'RegistrationRequired',
    registrationState,
    resourceTypes: ownKinds.map(({ type, apiVersions }) => ({
      resourceType: type.split('/').slice(1).join('/'),
      locations: [],
      apiVersions: apiVersions === 'any' ? [] : [...apiVersions].reverse(),
      capabilities: 'None',
    })),
  };
}
