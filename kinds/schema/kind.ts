import type { TObject, TProperties, TSchema } from '@sinclair/typebox';
import { withSharedMetadata, metadataOf } from './property-metadata.js';
import { closedObject, text, type WithRequired } from './schema-builders.js';

/** The Terraform resource types of a kind. */
export interface TerraformTypes {
  /**
   * The types that create it: an official provider's, and castellan's own for what the official one
   * lacks.
   */
  readonly resourceTypes: readonly string[];
  /** The types that add properties to it. */
  readonly additionalResourceTypes?: readonly string[];
  /**
   * The type in the cloud's resource manager: an `azapi_resource` of it has the properties in its
   * `body`, at their API places.
   */
  readonly azapi?: string;
}

/**
 * The only description of a kind: schemas, constructs, services and pages derive its properties and
 * limits from it.
 */
export interface KindDescription<
  Properties extends TProperties,
  Limits,
  Required extends keyof Properties,
> {
  /** The meaning of the kind, as a sentence. */
  readonly meaning: string;
  /** Its Terraform resource types. */
  readonly terraform: TerraformTypes;
  /** The required properties. @default none */
  readonly required?: readonly Required[];
  /** All properties of a declaration, in the order of the reference. */
  readonly properties: Properties;
  /**
   * Properties that only the service sets, which declarations and requests cannot: the meaning for
   * texts, otherwise the description.
   */
  readonly setByService?: Readonly<Record<string, string | TSchema>>;
  /**
   * Properties that belong to users or other systems and are outside the main store: never
   * declared.
   */
  readonly notDeclared?: TProperties;
  /** Properties that only other clients of the API use. */
  readonly onlyInApi?: TProperties;
  /** Limits that are not about one property. */
  readonly limits?: Limits;
  /** What is lost permanently when one is deleted. @default nothing: it can be created again */
  readonly deletionLoses?: string;
}

/** A described kind. */
export interface Kind<Properties extends TProperties = TProperties, Limits = unknown> {
  /** The meaning of the kind, as a sentence. */
  readonly meaning: string;
  /** Its Terraform resource types. */
  readonly terraform: TerraformTypes;
  /** The properties of a declaration by name, in the order of the reference. */
  readonly properties: Properties;
  /** The properties that only the service sets. */
  readonly setByService: ReadonlySet<string>;
  /** The properties of other systems, which no declaration has. */
  readonly notDeclared: ReadonlySet<string>;
  /** Limits that are not about one property. */
  readonly limits: Limits;
  /** What is lost permanently when one is deleted; undefined for nothing. */
  readonly deletionLoses: string | undefined;
  /** All properties of an object in the API, without its id. */
  readonly inApi: TProperties;
  /** The JSON Schema of one declaration. */
  readonly schema: TObject<Properties>;
}

/**
 * Describes a kind. The description is created on first use, so that a check of groups does not
 * create the schemas of apps and eventstreams.
 *
 * @example
 * const colour = kind(() => ({
 *   meaning: 'A colour.',
 *   terraform: { resourceTypes: ['azurerm_colour'] },
 *   properties: { name: Type.String() },
 * }));
 */
export function kind<
  Properties extends TProperties,
  const Limits = undefined,
  const Required extends keyof Properties = never,
>(
  describe: () => KindDescription<Properties, Limits, Required>,
): Kind<WithRequired<Properties, Required>, Limits> {
  let instance: Kind<WithRequired<Properties, Required>, Limits> | undefined;
  const getInstance = (): Kind<WithRequired<Properties, Required>, Limits> =>
    (instance ??= makeKind(describe()));
  return {
    get meaning() {
      return getInstance().meaning;
    },
    get terraform() {
      return getInstance().terraform;
    },
    get properties() {
      return getInstance().properties;
    },
    get setByService() {
      return getInstance().setByService;
    },
    get notDeclared() {
      return getInstance().notDeclared;
    },
    get limits() {
      return getInstance().limits;
    },
    get deletionLoses() {
      return getInstance().deletionLoses;
    },
    get inApi() {
      return getInstance().inApi;
    },
    get schema() {
      return getInstance().schema;
    },
  };
}

function makeKind<Properties extends TProperties, Limits, Required extends keyof Properties>(
  description: KindDescription<Properties, Limits, Required>,
): Kind<WithRequired<Properties, Required>, Limits> {
  const {
    meaning,
    terraform,
    required = [],
    setByService = {},
    notDeclared = {},
    onlyInApi = {},
    limits,
    deletionLoses,
  } = description;
  const schema = closedObject(description.properties, { description: meaning, required });
  const { properties } = schema;
  return {
    meaning,
    terraform,
    properties,
    setByService: new Set(Object.keys(setByService)),
    notDeclared: new Set(Object.keys(notDeclared)),
    limits: limits as Limits,
    deletionLoses,
    inApi: {
      ...writtenInApi(properties),
      ...onlyInApi,
      ...readOnlyInApi(setByService),
      ...notDeclared,
    },
    schema,
  };
}

function writtenInApi(properties: TProperties): TProperties {
  const isWritable = ([name, schema]: readonly [string, TSchema]): boolean => {
    const { api = name, separateRequest, notInApi } = metadataOf(schema);
    return api === name && separateRequest !== true && notInApi !== true;
  };
  return Object.fromEntries(Object.entries(properties).filter(isWritable));
}

function readOnlyInApi({
  id: _id,
  ...setByService
}: Readonly<Record<string, string | TSchema>>): TProperties {
  const schemas = Object.entries(setByService).map(([name, description]) => [
    name,
    typeof description === 'string' ? text(description) : description,
  ]);
  return withSharedMetadata({ readOnly: true }, Object.fromEntries(schemas) as TProperties);
}
