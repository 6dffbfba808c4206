import type { TSchema } from '@sinclair/typebox';
import type { Severity } from '../../core/findings/finding.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { Section } from '../../kinds/stack/schema.js';
import type { AttributeSource, TerraformResource } from './terraform-resource.js';
import type { Declaration, StackIndex } from './stack-index.js';

/** A mistake found by the schema that the rule reports: its path, and which schema keywords. */
export interface ReportedMistakes {
  /**
   * Relative to the declaration; `*` means any key or index: `owners`,
   * `auth.providers.directory.clientSecret`, `resourceBehaviorOptions.*`.
   */
  readonly path: string;
  /**
   * The keywords: those of JSON Schema, or `allowedNumbers` and `validate`, limits that JSON Schema
   * has no keyword for.
   *
   * @default all but `required`, `additionalProperties` and `type`
   */
  readonly keywords?: readonly string[];
  /**
   * The id of the message, by keyword, unless a `validate` names it.
   *
   * @default the keyword itself
   */
  readonly messageIds?: Readonly<Record<string, string>>;
  /**
   * The severity when a service refuses the value, and the rule is otherwise advisory.
   *
   * @default the rule's
   */
  readonly severity?: Severity;
}

/** How to fix a finding. */
export interface ReportedFix {
  /** The suggested action. @default `write VALUE`, `remove KEY` or `rename KEY to OTHER` */
  readonly description?: string;
  /** The path to edit. @default the path of the report */
  readonly path?: ConfigPath;
  /** The value to write. @default the value is removed, unless `key` is set */
  readonly value?: unknown;
  /** The right name for the last key of the path. @default the key keeps its name */
  readonly key?: string;
}

/** The fix that removes the value at the path of the report. */
export const removal: ReportedFix = {};

/** A finding as a rule reports it. */
export interface ReportDescriptor {
  /** One of the rule's messages; the fingerprint of the finding contains it. */
  readonly messageId: string;
  /** Relative to the declaration: `['owners', 2]`. */
  readonly path?: ConfigPath;
  /**
   * The parameters of the message, such as the allowed values. Never a secret.
   *
   * @default `given` is the value at the path, if the message uses it
   */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Whether to locate the key or the value. @default value */
  readonly at?: 'key' | 'value';
  /** The severity of this finding, if it differs. @default the rule's */
  readonly severity?: Severity;
  /** The right value, another `key`, or, with `fix: {}`, removal. */
  readonly fix?: ReportedFix | undefined;
}

/** The context of a rule besides the declaration. */
export interface RuleContext {
  /** All declarations of the stack, indexed: rules look up and never search. */
  readonly index: StackIndex;
  /** The rule's options, from castellan.policy.yaml. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The current time, for date checks. */
  readonly now: Date;
  /** The earlier declarations, when a change is checked. */
  readonly base?: StackIndex | undefined;
  /** Reports that the declaration violates the rule. */
  report(report: ReportDescriptor): void;
  /** Reports that a value known only later decides. */
  unknown(path: ConfigPath): void;
  /**
   * Where the value at a path comes from: `written` in the source, left out (`default`), or
   * `unknown`, as it is computed or the input does not say.
   */
  source(path: ConfigPath): AttributeSource;
}

/** A JSON Schema of options: `{ type: 'object', properties: { instead: { type: 'string' } } }`. */
export interface OptionsSchema {
  /** Options are an object. */
  readonly type: 'object';
  /** The JSON Schema of each option, by its name. */
  readonly properties?: Readonly<Record<string, object>>;
  /** The required options. @default none */
  readonly required?: readonly string[];
  /** Whether other options are allowed. @default false */
  readonly additionalProperties?: boolean;
}

/** A rule: its id, what it requires and why, its messages, and its check of one declaration. */
export interface Rule<Sections extends Section = Section> {
  /**
   * Identifies the rule in findings, in castellan.policy.yaml and in suppressions: lower-case
   * letters and hyphens.
   */
  readonly id: string;
  /** The requirement, as a sentence. */
  readonly title: string;
  /** Why it matters: what happens otherwise. */
  readonly why: string;
  /** The severity of its findings, unless castellan.policy.yaml sets another. */
  readonly severity: Severity;
  /**
   * The source of the requirement: a document of the specification and its heading, or the official
   * provider.
   */
  readonly source: string;
  /** The sections whose declarations the rule checks. */
  readonly sections: readonly Sections[];
  /**
   * What the rule looks at. `declaration`: one declaration by itself; `stack`: others of its stack,
   * too, so that it runs only with the whole stack; `change`: what the base (`context.base`) has
   * and the stack lacks or changes, so that it runs only against a base.
   *
   * @default declaration
   */
  readonly scope?: 'declaration' | 'stack' | 'change';
  /** The messages by id; `{name}` is a parameter. */
  readonly messages: Readonly<Record<string, string>>;
  /**
   * The paths whose mistakes are found by the schema and reported by this rule, by the message with
   * the name of the schema keyword; a path alone means all mistakes of its value.
   */
  readonly reportsSchemaMistakesOf?: readonly (string | ReportedMistakes)[];
  /**
   * The properties that the rule checks: if one of them is known only later, so is the verdict. `*`
   * means any key or index. Omit properties that only have to be present: a value that is known
   * only later is present.
   */
  readonly reads?: readonly string[];
  /**
   * The property without which the rule has nothing to check: declarations without it are skipped.
   * @default no declaration is skipped
   */
  readonly whenDeclared?: string;
  /**
   * The schema of the rule's options: JSON Schema, plain or from typebox. Other options are
   * refused.
   */
  readonly options?: TSchema | OptionsSchema;
  /** For a rule about resources of plans and states: their Terraform types. */
  readonly resources?: readonly string[];
  /** Checks a resource of one of these types. */
  checkResource?(resource: TerraformResource, context: ResourceContext): void;
  /** Checks one declaration. */
  check?(declaration: Declaration<Sections>, context: RuleContext): void;
  /** Checks a removed declaration; scope `change` only. */
  checkRemoved?(declaration: Declaration<Sections>, context: RuleContext): void;
}

/**
 * Defines a rule, with the types of the sections that it checks.
 *
 * @example
 * export const noRed = defineRule({
 *   id: 'no-red',
 *   title: 'No group is red.',
 *   why: 'Red is for alarms.',
 *   severity: 'warning',
 *   source: 'our style guide',
 *   sections: ['groups'],
 *   reads: ['theme'],
 *   messages: { red: 'the theme is {given}' },
 *   check(group, context) {
 *     if (group.value.theme === 'Red') context.report({ messageId: 'red', path: ['theme'] });
 *   },
 * });
 */
export function defineRule<const Sections extends Section>(rule: Rule<Sections>): Rule<Sections> {
  return rule;
}

/** Parameters that a rule words itself, such as lists of allowed values, are never shortened. */
const parametersWordedByRules = new Set([
  'reason',
  'hint',
  'allowed',
  'where',
  'what',
  'wanted',
  'description',
  'pattern',
]);

/**
 * Inserts parameters into a message: `{given}` becomes the given value, shortened if it is long.
 */
export function renderMessage(
  template: string,
  parameters: Readonly<Record<string, unknown>>,
): string {
  return template.replace(/\{(\w+)\}/g, (word, name: string) => {
    if (!Object.hasOwn(parameters, name)) return word;
    const value = parameters[name];
    return typeof value === 'string' && parametersWordedByRules.has(name)
      ? value
      : parameterText(value);
  });
}

/** The longest given value in a message, in characters. */
const maxParameterLength = 120;

function shorten(text: string): string {
  if (text.length <= maxParameterLength) return text;
  // without the first half of a character that the cut splits
  return `${text.slice(0, maxParameterLength - 3).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

function parameterText(value: unknown): string {
  if (Array.isArray(value)) return value.map(parameterText).join(', ');
  if (typeof value === 'string') return shorten(value);
  return typeof value === 'object' ? shorten(JSON.stringify(value)) : String(value);
}

/** The context of a rule about resources, besides the resource. */
export interface ResourceContext {
  /** All resources of a type that one of the pack's rules names. */
  resources(type: string): readonly TerraformResource[];
  /** The rule's options, from castellan.policy.yaml. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The current time, for date checks. */
  readonly now: Date;
  /** Reports that the resource violates the rule; the path is that of an attribute. */
  report(report: ReportDescriptor): void;
  /** Reports that a value known only after apply decides. */
  unknown(path: ConfigPath): void;
  /**
   * Where the value at a path comes from: `written` in the source, left out (`default`), or
   * `unknown`, as it is computed or the input does not say.
   */
  source(path: ConfigPath): AttributeSource;
}
