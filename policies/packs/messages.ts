import type { Finding } from '../../core/findings/finding.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { TerraformResource } from '../engine/terraform-resource.js';
import type { Rule } from '../engine/rule.js';
import type { PackConfig } from '../../kinds/policy/schema.js';
import type { Section, StackConfig } from '../../kinds/stack/schema.js';

/** How much memory the rules of a pack may take, in mebibytes: objects, a Rego policy, and everything together. */
export const memoryLimits = { objects: 512, rego: 256, all: 1024 } as const;

/** How long a pack may take: to load, and for each stack where the policy says nothing, in seconds. */
export const timeLimits = { load: 20, stack: 5 } as const;

/** What a pack's program is started with. */
export interface PackStart {
  readonly pack: PackConfig;
  /** The rules' file. */
  readonly file: string;
  /** The folder of the policy, from which other files of the pack are found. */
  readonly folder: string;
}

/** A declaration as it crosses over to the program. */
export interface PackDeclaration {
  readonly section: Section;
  readonly name: string;
  readonly value: unknown;
  readonly unknownPaths: readonly ConfigPath[];
}

/** What a stack declares, as it crosses over. */
export interface PackStack {
  readonly settings: Partial<StackConfig>;
  readonly declarations: readonly PackDeclaration[];
}

/** One stack, as the rules of a pack see it. */
export interface PackInput extends PackStack {
  /** The resources of a plan or a state that the pack's rules look at. */
  readonly resources?: readonly TerraformResource[];
  /** The stack as it was before, where a change is judged. */
  readonly base?: PackStack | undefined;
  readonly ruleOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** ISO 8601. */
  readonly now: string;
}

/** What a rule is, without its checks. */
export type RuleDescription = Omit<Rule, 'check' | 'checkRemoved' | 'checkResource'>;

/** What a pack's program answers: first its rules, then findings for each stack. */
export type PackAnswer =
  | { readonly rules: readonly RuleDescription[] }
  | { readonly findings: readonly Finding[]; readonly failures: readonly string[] }
  | { readonly failure: string };

/** The rules of a pack. */
export interface OwnRules {
  readonly rules: readonly Rule[];
  /** Judges a whole stack at once, in place of the rules' own checks. */
  readonly judgeStack?: (input: PackInput) => readonly Finding[];
}
