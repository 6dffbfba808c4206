import type { TSchema } from '@sinclair/typebox';
import type { Severity } from '../../core/findings/finding.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { Section } from '../../kinds/stack/schema.js';
import type { TerraformResource } from './terraform-resource.js';
import type { Declaration, StackIndex } from './stack-index.js';

/** A mistake that the schema finds in the rule's sections and the rule words: where, and which of its keywords. */
export interface SchemaClaim {
  /** Below the declaration; `*` means any key or index: `owners`, `auth.providers.directory.clientSecret`, `resourceBehaviorOptions.*`. */
  readonly path: string;
  /** @default every keyword but `required`, `additionalProperties` and `type` */
  readonly keywords?: readonly string[];
  /** The message for a keyword, by the keyword. @default the message with the keyword's name */
  readonly as?: Readonly<Record<string, string>>;
  /** The severity of it where a service refuses it, and the rule else advises. @default the rule's */
  readonly severity?: Severity;
}

/** How a finding can be mended. */
export interface ReportedFix {
  /** @default `write VALUE`, `remove KEY` or `rename KEY to OTHER` */
  readonly description?: string;
  /** @default the path of the report */
  readonly path?: ConfigPath;
  readonly value?: unknown;
  readonly key?: string;
}

/** What a rule says when it finds something. */
export interface Report {
  /** One of the rule's messages. */
  readonly messageId: string;
  /** Below the declaration: `['owners', 2]`. */
  readonly path?: ConfigPath;
  /**
   * What the message is rendered from: what is allowed, … Never a secret. @default `given` is the value at the path, where the message says
   * it
   */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Whether the key or the value is to be shown. @default value */
  readonly at?: 'key' | 'value';
  /** How much this finding weighs where others of the rule weigh more. @default the rule's */
  readonly severity?: Severity;
  /** What would be right: a value, another `key`, or, with `fix: {}`, nothing. */
  readonly fix?: ReportedFix | undefined;
}

/** What a rule may look at, besides the declaration. */
export interface RuleContext {
  /** Everything that the stack declares, prepared: rules ask it and never walk. */
  readonly index: StackIndex;
  /** The rule's options, from castellan.policy.yaml. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The time that dates are held against. */
  readonly now: Date;
  /** What was declared before, where a change is judged. */
  readonly base?: StackIndex | undefined;
  /** Says that the declaration breaks the rule. */
  report(report: Report): void;
  /** Says that a value known only later decides. */
  unknown(path: ConfigPath): void;
}

/** A JSON Schema of options: `{ type: 'object', properties: { instead: { type: 'string' } } }`. */
export interface OptionsSchema {
  /** Options are an object. */
  readonly type: 'object';
  /** The JSON Schema of each option, by its name. */
  readonly properties?: Readonly<Record<string, object>>;
  /** The options that must be given. @default none */
  readonly required?: readonly string[];
  /** Whether other options are taken, too. @default false */
  readonly additionalProperties?: boolean;
}

/** A rule: an explicit id, what it demands and why, its messages, and its check of one declaration. */
export interface Rule<Sections extends Section = Section> {
  /** Names the rule in findings, in castellan.policy.yaml and in suppressions: small letters and hyphens. */
  readonly id: string;
  /** What the rule demands, as a sentence. */
  readonly title: string;
  /** Why it matters: what happens otherwise. */
  readonly why: string;
  /** How much its findings weigh, where castellan.policy.yaml says nothing else. */
  readonly severity: Severity;
  /** Where the demand comes from: a document of the specification and its heading, or the official provider. */
  readonly source: string;
  /** The sections whose declarations the rule looks at. */
  readonly sections: readonly Sections[];
  /**
   * Whether the rule looks at other declarations, too; such rules run only where the whole stack is known. A rule of scope `change` runs
   * only against a base, and looks at `context.base`.
   *
   * @default declaration
   */
  readonly scope?: 'declaration' | 'stack' | 'change';
  /** The messages by id; `{name}` is a parameter. */
  readonly messages: Readonly<Record<string, string>>;
  /** The mistakes of the schema that this rule words: a path alone for all that are said of a value at it. */
  readonly claims?: readonly (string | SchemaClaim)[];
  /**
   * The properties that the rule judges: where one of them is known only later, so is the verdict. `*` means any key or index. Of a
   * property that only has to be there, nothing is to be named: what is known only later is there.
   */
  readonly reads?: readonly string[];
  /** The property without which the rule has nothing to say: it is not asked about declarations that lack it. @default always asked */
  readonly needs?: string;
  /** The schema of the rule's options: JSON Schema, as it is or as typebox writes it. Other options are refused. */
  readonly options?: TSchema | OptionsSchema;
  /** Of a rule about resources of plans and states: their Terraform types. */
  readonly resources?: readonly string[];
  /** Judges a resource of one of these types. */
  checkResource?(resource: TerraformResource, context: ResourceContext): void;
  /** Judges one declaration. */
  check?(declaration: Declaration<Sections>, context: RuleContext): void;
  /** Judges what was declared before and is gone; scope `change` only. */
  checkRemoved?(declaration: Declaration<Sections>, context: RuleContext): void;
}

/**
 * Makes a rule with the types of the sections it looks at.
 *
 * @example
 * export const noRed = defineRule({
 *   id: 'no-red', title: 'No group is red.', why: 'Red is for alarms.', severity: 'warning', source: 'our style guide',
 *   sections: ['groups'], reads: ['theme'], messages: { red: 'the theme is {given}' },
 *   check(group, context) {
 *     if (group.value.theme === 'Red') context.report({ messageId: 'red', path: ['theme'] });
 *   },
 * });
 */
export function defineRule<const Sections extends Section>(rule: Rule<Sections>): Rule<Sections> {
  return rule;
}

/** Parameters that a rule words itself, lists of what is allowed among them: they are never cut off. */
const wordedByRules = new Set(['reason', 'hint', 'allowed', 'where', 'what', 'wanted', 'description', 'pattern']);

/** Puts parameters into a message: `{given}` becomes what was given, shortened where it is long. */
export function renderMessage(template: string, parameters: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{(\w+)\}/g, (word, name: string) => {
    if (!Object.hasOwn(parameters, name)) return word;
    const value = parameters[name];
    return typeof value === 'string' && wordedByRules.has(name) ? value : parameterText(value);
  });
}

function parameterText(value: unknown): string {
  if (Array.isArray(value)) return value.map(parameterText).join(', ');
  if (typeof value === 'string') return value.length > 120 ? `${value.slice(0, 117)}…` : value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What a rule about resources may look at, besides the resource. */
export interface ResourceContext {
  /** All resources of a type that one of the pack's rules names. */
  resources(type: string): readonly TerraformResource[];
  /** The rule's options, from castellan.policy.yaml. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The time that dates are held against. */
  readonly now: Date;
  /** Says that the resource breaks the rule; the path is that of an attribute. */
  report(report: Report): void;
  /** Says that a value known only after apply decides. */
  unknown(path: ConfigPath): void;
}
