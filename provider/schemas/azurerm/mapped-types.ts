import databases from '../data/azurerm/databases.json';
import messaging from '../data/azurerm/messaging.json';
import network from '../data/azurerm/network.json';
import platform from '../data/azurerm/platform.json';
import storage from '../data/azurerm/storage.json';
import type { BodyData } from '../official-schema.js';
import type { ConfigValidator, Diagnostic } from '../schema.js';

/** How a type is addressed in the resource manager, and what its body has beside the attributes. */
export interface ArmType {
  readonly apiVersion: string;
  /**
   * The forms of its id, of which the first one that the attributes can fill is used; and the
   * path in requests, if it is not the id. See `handlers/azurerm/mapped/template.ts`.
   */
  readonly ids: readonly { readonly id: string; readonly path?: string }[];
  /** Texts of the body that are made of attributes, by their paths: `sku.name`. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Whether it is not a resource of its own, but a part of the resource with this id. */
  readonly part?: true;
  /** By list action, such as `listKeys`: the attribute that must be true for it to be called. */
  readonly only?: Readonly<Record<string, string>>;
}

/** A type of a data file: its schema, and its place in the resource manager. */
export interface MappedType extends BodyData {
  /** The version of its schema in the official provider. */
  readonly version: number;
  readonly arm: ArmType;
}

/** The data source of a mapped type, with attributes of its own. */
export interface MappedDataSource extends Pick<BodyData, 'attributes'> {
  /** The resource type whose attributes it has too. */
  readonly dataOf: string;
  /** The attributes of the resource type that it lacks. */
  readonly without?: readonly string[];
}

const files = [storage, network, databases, messaging, platform] as unknown as readonly {
  readonly resources: Readonly<Record<string, MappedType>>;
  readonly dataSources: Readonly<Record<string, MappedDataSource>>;
}[];

/** The types of azurerm that are served by their data alone. */
export const mappedTypes: Readonly<Record<string, MappedType>> = Object.assign(
  {},
  ...files.map(({ resources }) => resources),
) as Record<string, MappedType>;

/** The data sources of {@link mappedTypes}. */
export const mappedDataSources: Readonly<Record<string, MappedDataSource>> = Object.assign(
  {},
  ...files.map(({ dataSources }) => dataSources),
) as Record<string, MappedDataSource>;

/**
 * Validators, by type, that refuse the attributes and blocks that castellan's provider does not
 * serve.
 */
export const mappedValidators: Readonly<Record<string, readonly ConfigValidator[]>> =
  Object.fromEntries(
    Object.entries(mappedTypes).map(([type, { attributes, blocks }]) => {
      const unserved = Object.entries({ ...attributes, ...blocks })
        .filter(([, entry]) => typeof entry === 'object' && 'unserved' in entry)
        .map(([name]) => name);
      return [type, unserved.length === 0 ? [] : [refuseUnserved(type, unserved)]];
    }),
  );

function refuseUnserved(type: string, names: readonly string[]): ConfigValidator {
  return (config) =>
    names
      .filter((name) => {
        const value = config[name] ?? null;
        return value !== null && !(Array.isArray(value) && value.length === 0);
      })
      .map((name): Diagnostic => ({
        severity: 'error',
        summary: `The sandbox's own provider does not serve ${name} of ${type}`,
        detail: `Remove ${name} for the sandbox, declare the resource as an azapi_resource, or run with --providers official.`,
        path: [name],
      }));
}
