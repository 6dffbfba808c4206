import { Optional, type TProperties, type TSchema } from '@sinclair/typebox';

/**
 * A place in a Terraform resource or in the body of a request, below the object that is described: `template.0.min_replicas`. A number is
 * an entry of a list, `*` each entry, `type=Liveness` the entry that has this member, and `.` the value itself, for the entries of a list
 * that are kept without names. The properties of an object that has a place of its own are below that place.
 */
export type Path = string;

/** A place where a property isn't written as it is declared. */
export interface Spelling {
  readonly at: Path;
  /** By our word, the word there. */
  readonly words?: Readonly<Record<string, string | boolean>>;
  /** The words are the same in any letter case. */
  readonly anyCase?: true;
  /** The place says something else with all other words. */
  readonly onlyWords?: true;
  /** What is written beside it, always the same. */
  readonly beside?: Readonly<Record<string, string>>;
  /** What is declared where anything at all is there. */
  readonly present?: string;
  /** A flag: whether the text there contains this one. */
  readonly contains?: string;
  /** The text follows the first of these: `--` of the name of a revision. */
  readonly after?: string;
  /** What several entries declare together: their sum, or the least of them. */
  readonly together?: 'sum' | 'least';
  /** A map that is a list there: which members hold the name, the value, and the name of a secret in its place. */
  readonly list?: { readonly name: string; readonly value?: string; readonly secret?: string };
  /** The entries of the list there that hold these values; ours are what each has under `take`. */
  readonly among?: Readonly<Record<string, string>>;
  readonly take?: string;
  /** Whether it is an instant, which providers show with fractions of a second. */
  readonly instant?: true;
  /** What is written there where nothing is declared. */
  readonly unset?: number;
}

/** A place, as a path where the property is written as it is declared. */
export type Place = Path | Spelling;

/** Where Terraform has a property: in every resource type that makes the thing, or in each that is named. */
export type TerraformPlace = Place | { readonly [resourceType: `${string}_${string}`]: Place };

/** What a description says of a property besides its type, its limits, its default and its meaning. */
export interface Facts {
  readonly terraform?: TerraformPlace;
  /** Its name in the API where that is another one, with the objects that it is in: `web.logoutUrl`. */
  readonly api?: string;
  /** Where the resource manager has it in the `properties` of a body, and so has an `azapi_resource`; of several places one has it. */
  readonly body?: Place | readonly Place[];
  /** Where answers of the API have it, when that is another place than in requests; so has Terraform, in its own spelling of names. */
  readonly readAs?: string;
  /** The property that cannot be there together with it. */
  readonly notWith?: string;
  /** A body says its default, or the section, where nothing is declared; else it says null. */
  readonly explicit?: true;
  /** A body leaves it out where nothing is declared. */
  readonly leftOut?: true;
  /** The name under which the app keeps the secret. @default what has it and the property: `search-client-secret` */
  readonly secretName?: string;
  /** The API has the list as one text, with this between its entries. */
  readonly joinedBy?: string;
  /** The API has no such property: it says how Terraform goes about things, or says several others at once. */
  readonly onlyDeclared?: true;
  /** The API refuses null for it. */
  readonly notNull?: true;
  /** Only the service sets it. */
  readonly readOnly?: true;
  /** When an answer of the API has it: where `$select` names it, where that is asked of a single object, or never. @default always */
  readonly returned?: 'select' | 'single' | 'never';
  /** What an answer has where nothing is stored. @default the default; null, or an empty list where there is none */
  readonly absent?: unknown;
  /** It is set when the thing is created, and never changes afterwards. */
  readonly onlyAtCreation?: true;
  /** It is kept outside the main store: in a request without other properties, by signed-in people only, and in no delta. */
  readonly outsideStore?: true;
  /** It is an id that a service made, in its own form: one that is known only after apply needs no look. */
  readonly identifier?: true;
  /** It is changed by requests of its own, not with the other properties. */
  readonly ownRequest?: true;
  /** A change replaces the thing: what is lost by it. */
  readonly replaces?: string;
  /** What the pattern demands, in words that follow "must have": `only letters, digits and hyphens`. */
  readonly form?: string;
  /** The numbers that are allowed: single ones, and ranges from the first to the second. */
  readonly values?: readonly AllowedNumber[];
  /** What the service takes beyond what may be declared, and why: other clients, older objects. */
  readonly serviceTakes?: { readonly values?: readonly unknown[]; readonly pattern?: string; readonly because: string };
  /** What no keyword of JSON Schema can demand: says what is wrong with a value, or nothing. */
  readonly refuses?: (value: unknown) => string | Refusal | undefined;
}

/** One of several things that may be wrong with a value: the message of the rule that words it, and words. */
export interface Refusal {
  readonly messageId: string;
  readonly words: string;
}

/** A number that is allowed, or the first and the last of a range. */
export type AllowedNumber = number | readonly [least: number, most: number];

const names: ReadonlySet<string> = new Set([
  'terraform',
  'api',
  'body',
  'readAs',
  'explicit',
  'leftOut',
  'secretName',
  'notWith',
  'joinedBy',
  'onlyDeclared',
  'notNull',
  'readOnly',
  'returned',
  'absent',
  'onlyAtCreation',
  'outsideStore',
  'ownRequest',
  'identifier',
  'replaces',
  'form',
  'values',
  'serviceTakes',
  'refuses',
] satisfies readonly (keyof Facts)[]);

/** The keyword of a schema under which its facts are. */
export const factsKeyword = 'x-facts';

/** The facts among some options as the keyword of a schema, and the other options. */
export function withFacts<Options extends object>(options: Options): Omit<Options, keyof Facts> {
  const rest: Record<string, unknown> = {};
  let facts: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(options)) {
    if (names.has(name)) (facts ??= {})[name] = value;
    else if (value !== undefined) rest[name] = value;
  }
  if (facts !== undefined) rest[factsKeyword] = facts;
  return rest as Omit<Options, keyof Facts>;
}

/** Properties that may all be left out, with facts that hold for each of them. */
export function each(facts: Facts, properties: TProperties): TProperties {
  const entries = Object.entries(properties).map(([name, schema]) => [
    name,
    Optional({ ...schema, [factsKeyword]: { ...facts, ...factsOf(schema) } }),
  ]);
  return Object.fromEntries(entries) as TProperties;
}

/** The path of a place. */
export function pathOf(place: Place): Path {
  return typeof place === 'string' ? place : place.at;
}

/** What a description says of a property besides its limits. */
export function factsOf(schema: TSchema | object): Facts {
  return ((schema as Readonly<Record<string, unknown>>)[factsKeyword] ?? {}) as Facts;
}
