import type { TObject, TProperties, TSchema } from '@sinclair/typebox';
import { each, factsOf } from './facts.js';
import { lazily } from '../../core/values/lazily.js';
import { closedObject, text, type WithRequired } from './shapes.js';

/** The types of resources that Terraform has for a kind. */
export interface TerraformTypes {
  /** Those that make the thing: of an official provider, and of castellan's own where the official one can't say everything. */
  readonly whole: readonly string[];
  /** Those that say more of a thing that another resource makes. */
  readonly beside?: readonly string[];
  /** The type in the cloud's resource manager: `azapi_resource` of it has the properties where the API has them, in its `body`. */
  readonly azapi?: string;
}

/** What a kind is, in one place: whatever else knows its properties and limits derives them from here. */
export interface KindDescription<Properties extends TProperties, Limits, Required extends keyof Properties> {
  /** What one of the kind is, as a sentence. */
  readonly meaning: string;
  readonly terraform: TerraformTypes;
  /** The properties without which nothing can be declared. @default none */
  readonly required?: readonly Required[];
  /** Everything that can be declared, in the order of the reference. */
  readonly properties: Properties;
  /** What only the service sets, refused in a declaration and in the body of a request: its meaning, for texts, or its description. */
  readonly setByService?: Readonly<Record<string, string | TSchema>>;
  /** What belongs to people or to other systems and is kept outside the main store: never declared. */
  readonly notDeclared?: TProperties;
  /** What only other clients of the API know. */
  readonly onlyInApi?: TProperties;
  /** Limits that are not of one property. */
  readonly limits?: Limits;
  /** What is lost for good when one is deleted. @default nothing: it can be made again as it was */
  readonly loss?: string;
}

/** A described kind. */
export interface Kind<Properties extends TProperties = TProperties, Limits = unknown> {
  /** What one of the kind is, as a sentence. */
  readonly meaning: string;
  /** The types of resources that Terraform has for it. */
  readonly terraform: TerraformTypes;
  /** What can be declared, by name, in the order of the reference. */
  readonly properties: Properties;
  /** The names of what only the service sets. */
  readonly setByService: ReadonlySet<string>;
  /** The names of what other systems keep, which no declaration has. */
  readonly notDeclared: ReadonlySet<string>;
  /** Limits that are not of one property. */
  readonly limits: Limits;
  /** What is lost for good when one is deleted; undefined where nothing is. */
  readonly loss: string | undefined;
  /** Every property that an object of the API has, its id aside. */
  readonly inApi: TProperties;
  /** The JSON Schema of one declaration. */
  readonly schema: TObject<Properties>;
}

/**
 * Describes a kind. The description is made when it is first asked for, so that a check of groups doesn't make the schemas of apps and
 * eventstreams: an eighth of its processor time beside starting node.
 *
 * @example
 * const colour = kind(() => ({ meaning: 'A colour.', terraform: { whole: ['azurerm_colour'] }, properties: { name: Type.String() } }));
 */
export function kind<Properties extends TProperties, const Limits = undefined, const Required extends keyof Properties = never>(
  describe: () => KindDescription<Properties, Limits, Required>,
): Kind<WithRequired<Properties, Required>, Limits> {
  let instance: Kind<WithRequired<Properties, Required>, Limits> | undefined;
  const whole = (): Kind<WithRequired<Properties, Required>, Limits> => (instance ??= makeKind(describe()));
  return lazily({
    meaning: () => whole().meaning,
    terraform: () => whole().terraform,
    properties: () => whole().properties,
    setByService: () => whole().setByService,
    notDeclared: () => whole().notDeclared,
    limits: () => whole().limits,
    loss: () => whole().loss,
    inApi: () => whole().inApi,
    schema: () => whole().schema,
  });
}

function makeKind<Properties extends TProperties, Limits, Required extends keyof Properties>(
  description: KindDescription<Properties, Limits, Required>,
): Kind<WithRequired<Properties, Required>, Limits> {
  const { meaning, terraform, required = [], setByService = {}, notDeclared = {}, onlyInApi = {}, limits, loss } = description;
  const schema = closedObject(description.properties, { description: meaning, required });
  const { properties } = schema;
  return {
    meaning,
    terraform,
    properties,
    setByService: new Set(Object.keys(setByService)),
    notDeclared: new Set(Object.keys(notDeclared)),
    limits: limits as Limits,
    loss,
    inApi: { ...writtenInApi(properties), ...onlyInApi, ...readOnlyInApi(setByService), ...notDeclared },
    schema,
  };
}

function writtenInApi(properties: TProperties): TProperties {
  const isThere = ([name, schema]: readonly [string, TSchema]): boolean => {
    const { api = name, ownRequest, onlyDeclared } = factsOf(schema);
    return api === name && ownRequest !== true && onlyDeclared !== true;
  };
  return Object.fromEntries(Object.entries(properties).filter(isThere));
}

function readOnlyInApi({ id: _id, ...setByService }: Readonly<Record<string, string | TSchema>>): TProperties {
  const described = Object.entries(setByService).map(([name, description]) => [
    name,
    typeof description === 'string' ? text(description) : description,
  ]);
  return each({ readOnly: true }, Object.fromEntries(described) as TProperties);
}
