import type { Finding } from '../../core/findings/finding.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { TerraformResource } from '../engine/terraform-resource.js';
import type { Rule } from '../engine/rule.js';
import type { PackConfig } from '../../kinds/policy/schema.js';
import type { Section, StackConfig } from '../../kinds/stack/schema.js';

/** The memory limits of a pack in mebibytes: its heap, a Rego policy, and the whole process. */
export const memoryLimits = { heap: 512, rego: 256, all: 1024 } as const;

/** The time limits of a pack in seconds: to load, and for each stack if the policy sets none. */
export const timeLimits = { load: 20, stack: 5 } as const;

/** The arguments of a pack's program. */
export interface PackStart {
  readonly pack: PackConfig;
  /** The rules' file. */
  readonly file: string;
  /** The folder of the policy, which the pack's other files are relative to. */
  readonly folder: string;
}

/** A declaration in a message. */
export interface PackDeclaration {
  readonly section: Section;
  readonly name: string;
  readonly value: unknown;
  /** Where values are unknown: of unset variables, or known only after apply. */
  readonly unknownPaths: readonly ConfigPath[];
}

/** The declarations of a stack in a message. */
export interface PackStack {
  /** The properties of the stack besides its declarations. */
  readonly settings: Partial<StackConfig>;
  readonly declarations: readonly PackDeclaration[];
}

/** A stack in a message to the program. */
export interface PackInput extends PackStack {
  /** The resources of a plan or a state that the pack's rules check. */
  readonly resources?: readonly TerraformResource[];
  /** The earlier stack, when a change is checked. */
  readonly base?: PackStack | undefined;
  /** The options that the policy sets, by the ids of rules. */
  readonly ruleOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** ISO 8601. */
  readonly now: string;
}

/** A rule without its functions. */
export type RuleDescription = Omit<Rule, 'check' | 'checkRemoved' | 'checkResource'>;

/** What a pack's rules say about a stack, and why some of them failed. */
export interface PackCheckResult {
  readonly findings: readonly Finding[];
  /** Why rules could not judge: they threw or took too long. No findings of verdict `fail`. */
  readonly failures: readonly string[];
}

/** The answers of a pack's program: its rules, then findings for each stack; or why it ended. */
export type PackAnswer =
  { readonly rules: readonly RuleDescription[] } | PackCheckResult | { readonly failure: string };

/** The rules of a pack. */
export interface LoadedPackRules {
  readonly rules: readonly Rule[];
  /** Checks a whole stack by all of these rules at once; then none has a check of its own. */
  readonly checkStack?: (input: PackInput) => readonly Finding[];
}
