import { Optional } from '@sinclair/typebox';
import type { TProperties, TSchema } from '@sinclair/typebox';

/**
 * Where Terraform has a property: the path of an attribute below the resource, `configuration.minimum_consumption_units`. Steps that are
 * numbers lead into blocks; `.` is the value itself, for the entries of a list that Terraform keeps without names.
 */
export type TerraformPath = string;

/** A place in Terraform, and how Terraform writes what is there. */
export interface TerraformSpelling {
  readonly at: TerraformPath;
  /** By our word, Terraform's. */
  readonly words?: Readonly<Record<string, string | boolean>>;
  /** The entries of the list there that hold these values; ours are what each has under `take`. */
  readonly among?: Readonly<Record<string, string>>;
  readonly take?: string;
  /** Whether it is an instant, which providers show with fractions of a second. */
  readonly instant?: true;
}

/** Where Terraform has a property: in every resource type that makes the thing, or in each that is named. */
export type TerraformPlace =
  TerraformPath | TerraformSpelling | { readonly [resourceType: `${string}_${string}`]: TerraformPath | TerraformSpelling };

/** What a description says of a property besides its type, its limits, its default and its meaning. */
export interface Facts {
  readonly terraform?: TerraformPlace;
  /** Its name in the API where that is another one, with the objects that it is in: `creationPayload.minimumConsumptionUnits`. */
  readonly api?: string;
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

const names = [
  'terraform',
  'api',
  'joinedBy',
  'onlyDeclared',
  'notNull',
  'readOnly',
  'returned',
  'absent',
  'onlyAtCreation',
  'outsideStore',
  'ownRequest',
  'replaces',
  'form',
  'values',
  'serviceTakes',
  'refuses',
] as const satisfies readonly (keyof Facts)[];

/** The keyword of a schema under which its facts are. */
export const factsKeyword = 'x-facts';

/** The facts among some options as the keyword of a schema, and the other options. */
export function withFacts<Options extends object>(options: Options): Omit<Options, keyof Facts> {
  const facts = Object.fromEntries(Object.entries(options).filter(([name]) => isFact(name)));
  const rest = Object.fromEntries(Object.entries(options).filter(([name, value]) => !isFact(name) && value !== undefined));
  return { ...rest, ...(Object.keys(facts).length === 0 ? {} : { [factsKeyword]: facts }) } as Omit<Options, keyof Facts>;
}

function isFact(name: string): boolean {
  return (names as readonly string[]).includes(name);
}

/** Properties that may all be left out, with facts that hold for each of them. */
export function each(facts: Facts, properties: TProperties): TProperties {
  const entries = Object.entries(properties).map(([name, schema]) => [
    name,
    Optional({ ...schema, [factsKeyword]: { ...facts, ...factsOf(schema) } }),
  ]);
  return Object.fromEntries(entries) as TProperties;
}

/** What a description says of a property besides its limits. */
export function factsOf(schema: TSchema | object): Facts {
  return ((schema as Readonly<Record<string, unknown>>)[factsKeyword] ?? {}) as Facts;
}
