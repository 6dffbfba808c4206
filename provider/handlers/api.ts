import type { DirectoryClient } from '../../clients/directory/index.js';
import type { ItemsClient } from '../../clients/items/index.js';
import type { ResourceManagerClient } from '../../clients/resource-manager/index.js';

/** The services as the handlers reach them, and who asks. */
export interface Api {
  readonly directory: DirectoryClient;
  readonly items: ItemsClient;
  readonly resourceManager: ResourceManagerClient;
  readonly identity: Identity;
}

/** Who the provider is to the services. */
export interface Identity {
  readonly tenantId: string;
  readonly subscriptionId: string;
  /** The client id of the application, or of the tool that a person signed in with. */
  clientId(): Promise<string>;
  /** The object id of the caller, from its token. */
  objectId(): Promise<string>;
}
