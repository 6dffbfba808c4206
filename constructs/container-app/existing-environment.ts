import { DataAzurermContainerAppEnvironment } from '@cdktf/provider-azurerm/lib/data-azurerm-container-app-environment';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { Construct, Fn, Lazy, Token } from '../internal/cdktf.js';
import type { IResourceGroup } from '../internal/cloud-settings.js';
import { escapeInterpolation } from '../internal/interpolation.js';
import { applyMetaArguments, type MetaArguments, providerFor } from '../internal/meta-arguments.js';
import { requireProviders } from '../internal/providers.js';

/** An environment for container apps, of this stack or not. */
export interface IContainerAppEnvironment {
  /** The resource id. */
  readonly environmentId: string;
  /** The domain of its apps. */
  readonly defaultDomain: string;
  /** Its resource group, which apps without one of their own share. */
  readonly resourceGroup: IResourceGroup;
}

/** The name and resource group of an existing environment. */
export interface ContainerAppEnvironmentAttributes extends MetaArguments {
  /** The name of the environment. */
  readonly name: string;
  /** The name of its resource group. */
  readonly resourceGroupName: string;
}

const environmentIdPattern =
  /^\/subscriptions\/[^/]+\/resourceGroups\/([^/]+)\/providers\/Microsoft\.App\/managedEnvironments\/([^/]+)$/i;

/** An environment that the stack does not create. */
export class ExistingEnvironment extends Construct implements IContainerAppEnvironment {
  readonly resourceGroup: IResourceGroup;
  readonly #attributes: ContainerAppEnvironmentAttributes;
  readonly #id: string | undefined;
  #dataSource: DataAzurermContainerAppEnvironment | undefined;

  /**
   * An environment by its resource id.
   *
   * @throws CAS2001 when the id is not that of an environment.
   */
  static fromId(scope: Construct, id: string, environmentId: string): ExistingEnvironment {
    if (Token.isUnresolved(environmentId)) {
      // positions in the id: it has the form of `environmentIdPattern`, and begins with a slash
      const segment = (index: number): string =>
        Token.asString(Fn.element(Fn.split('/', environmentId), index));
      return new ExistingEnvironment(
        scope,
        id,
        { name: segment(8), resourceGroupName: segment(4) },
        environmentId,
      );
    }
    const [, resourceGroupName, name] = environmentIdPattern.exec(environmentId) ?? [];
    if (resourceGroupName === undefined || name === undefined)
      throw new CastellanError(
        'CAS2001',
        `${JSON.stringify(environmentId)} is not the resource id of an environment: /subscriptions/…/resourceGroups/GROUP/providers/Microsoft.App/managedEnvironments/NAME`,
      );
    return new ExistingEnvironment(
      scope,
      id,
      {
        name: escapeInterpolation(name),
        resourceGroupName: escapeInterpolation(resourceGroupName),
      },
      escapeInterpolation(environmentId),
    );
  }

  constructor(
    scope: Construct,
    id: string,
    attributes: ContainerAppEnvironmentAttributes,
    environmentId?: string,
  ) {
    super(scope, id);
    this.#attributes = attributes;
    this.#id = environmentId;
    this.resourceGroup = { resourceGroupName: attributes.resourceGroupName };
  }

  get environmentId(): string {
    return this.#id ?? this.#lookUp().id;
  }

  get defaultDomain(): string {
    return this.#lookUp().defaultDomain;
  }

  #lookUp(): DataAzurermContainerAppEnvironment {
    if (this.#dataSource !== undefined) return this.#dataSource;
    const { name, resourceGroupName, ...meta } = this.#attributes;
    requireProviders(this, { azurerm: providerFor('azurerm', meta.provider) });
    this.#dataSource = new DataAzurermContainerAppEnvironment(this, 'Default', {
      name,
      resourceGroupName,
    });
    applyMetaArguments(this.#dataSource, meta);
    return this.#dataSource;
  }
}

/** An existing environment in a declaration: its id, as a value that is known only after apply. */
export function toDeclaredEnvironment({ environmentId }: IContainerAppEnvironment): string {
  return Lazy.stringValue({ produce: () => environmentId });
}
