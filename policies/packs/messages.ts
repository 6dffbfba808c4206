import type { Finding } from '../../core/findings/finding.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { Rule } from '../engine/rule.js';
import type { PackConfig } from '../schemas/policy.js';
import type { Section, StackConfig } from '../schemas/stack.js';

/** What a worker is started with. */
export interface PackStart {
  readonly pack: PackConfig;
  /** The rules' file. */
  readonly file: string;
}

/** A declaration as it crosses over to the worker. */
export interface PackDeclaration {
  readonly section: Section;
  readonly name: string;
  readonly value: unknown;
  readonly unknownPaths: readonly ConfigPath[];
}

/** One stack, as the rules of a pack see it. */
export interface PackInput {
  readonly settings: Partial<StackConfig>;
  readonly declarations: readonly PackDeclaration[];
  readonly ruleOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** ISO 8601. */
  readonly now: string;
}

/** What a rule is, without its check. */
export type RuleDescription = Omit<Rule, 'check'>;

/** What a worker answers: first its rules, then findings for each stack. */
export type PackAnswer =
  | { readonly rules: readonly RuleDescription[] }
  | { readonly findings: readonly Finding[]; readonly failures: readonly string[] }
  | { readonly failure: string };
