import type { ConfigPath } from '../../../core/yaml/layers.js';
import type { Locate } from '../../engine/finding-maker.js';
import type { PlanRule } from '../../engine/plan-rule.js';
import type { Rule } from '../../engine/rule.js';
import type { PlanConfiguration } from './configuration.js';

/** What a plan is held against. */
export interface PlanCheckOptions {
  readonly rules: readonly Rule[];
  readonly ruleOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The place of a declaration in the source, where a configuration declares it. */
  readonly locate: Locate;
  readonly now: Date;
  /** The declarations (`groups.shoppers`) whose values are wanted afterwards. */
  readonly targets: ReadonlySet<string>;
  /** Whether a configuration declares what is at a path: open values of it are no open questions. @default nothing is */
  readonly isDeclared?: (path: ConfigPath) => boolean;
  /** The rules about plans to run. @default all of them */
  readonly planRules?: readonly PlanRule[];
  /** Whether the live ids are wanted afterwards. @default false */
  readonly keepsIds?: boolean;
  /** Whether names are held against each other; what a state holds is there, whatever it is called. @default true */
  readonly comparesNames?: boolean;
  /** The configuration behind the plan; asked for where a value is known only after apply, and where resources are joined. */
  readonly configuration?: PlanConfiguration;
  /** Whether the resources of a type are wanted afterwards, for rules of one's own. @default none */
  readonly wantsResource?: (type: string) => boolean;
  /** Whether all declarations are wanted afterwards, which takes as much memory as they do. @default false */
  readonly collects?: boolean;
}
