/**
 * The verdict of a rule on a value: it breaks the rule (`fail`), keeps it (`pass`), or is known
 * only after apply (`unknown`).
 */
export type Verdict = 'fail' | 'unknown' | 'pass';

/**
 * How severe a failed rule is. Only `error` and `warning` of verdict `fail` count for the exit
 * code.
 */
export type Severity = 'error' | 'warning' | 'info';

/** A place in a source file. Lines and columns count from 1; the end is exclusive. */
export interface SourceLocation {
  /** The path of the file, as it was given. */
  readonly file: string;
  /** The line of its first character. */
  readonly line: number;
  /** The column of its first character. */
  readonly column: number;
  /** The line of the end. @default only the start is known */
  readonly endLine?: number;
  /** The column after the last character. @default only the start is known */
  readonly endColumn?: number;
}

/** The smallest edit that fixes a finding. */
export interface Fix {
  /** What the edit does, for a person. */
  readonly description: string;
  /** The configuration path that is edited, as in {@link Finding.path}. */
  readonly path: readonly (string | number)[];
  /** The value to put there; `undefined` removes the key, unless {@link key} renames it. */
  readonly value: unknown;
  /** The new name of the misspelt key at the path, whose value stays: {@link value} is not read. */
  readonly key?: string;
}

/** What a change weakens in the check that judges it. */
export type Weakened =
  | 'rule-off'
  | 'severity'
  | 'option'
  | 'suppression'
  | 'baseline'
  | 'pack'
  | 'include'
  | 'policy-moved';

/**
 * A finding is data: reporters are pure functions of findings, and one fingerprint identifies the
 * same finding in YAML, the construct tree, the plan and the live service.
 */
export interface Finding {
  /** The rule's explicit id, such as `group-mail-nickname`. */
  readonly ruleId: string;
  /** Which of the rule's messages this is. */
  readonly messageId: string;
  /** The parameters of the message: what was given, what is allowed. Never a secret. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Whether the rule fails, cannot decide yet, or passes. */
  readonly verdict: Verdict;
  /** Its severity. */
  readonly severity: Severity;
  /** The message, rendered: what was given, what is allowed, what to change. */
  readonly message: string;
  /** The wrong value in YAML or TypeScript (the key where a value is missing). */
  readonly location?: SourceLocation;
  /** The line that uses the library whose construct it is about; `location` is in the library. */
  readonly usedAt?: SourceLocation;
  /** The name of the stack that it is about, where a configuration declares it. */
  readonly stack?: string;
  /**
   * The environments in which it occurs, if the configuration has overlays; `default` is the one
   * without.
   */
  readonly environments?: readonly string[];
  /** The path in the configuration: `['groups', 'shoppers', 'mailNickname']`. */
  readonly path?: readonly (string | number)[];
  /** The construct's path in the tree, such as `storefront/shoppers`. */
  readonly constructPath?: string;
  /** The Terraform address, such as `azuread_group.shoppers`. */
  readonly terraformAddress?: string;
  /** The id of the object in the live service. */
  readonly liveId?: string;
  /** Equal for the same finding in every input; see `fingerprintOf`. */
  readonly fingerprint: string;
  /** An edit that fixes it, where one is known. */
  readonly fix?: Fix;
  /**
   * How many more resources have the same finding: if there are very many, only the first are
   * listed.
   */
  readonly further?: number;
  /**
   * Compared with a base: whether the finding came with the change. Only new ones count for the
   * exit code.
   */
  readonly change?: 'new' | 'unchanged';
  /** Of `policy-weakened`: what the change weakens. */
  readonly weakened?: Weakened;
}
