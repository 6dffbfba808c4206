import type { ConfigPath } from '../../../core/yaml/layers.js';
import type { Locate } from '../../engine/finding-maker.js';
import type { PlanRule } from '../../engine/plan-rule.js';
import type { Rule } from '../../engine/rule.js';
import type { PlanConfiguration } from './plan-configuration.js';

/** The context of a plan check. */
export interface PlanCheckOptions {
  readonly rules: readonly Rule[];
  /** The options that the policy sets, by the ids of rules. @default none */
  readonly ruleOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The location of a declaration in the source, if a configuration has it. */
  readonly locate: Locate;
  readonly now: Date;
  /** The declarations (`groups.shoppers`) whose values are requested. */
  readonly declarationsToReturn: ReadonlySet<string>;
  /**
   * Whether a configuration declares a path, so that its unknown value is not reported.
   *
   * @default never
   */
  readonly isDeclared?: (path: ConfigPath) => boolean;
  /** The plan rules to run. @default all */
  readonly planRules?: readonly PlanRule[];
  /** Whether live ids are requested. @default false */
  readonly returnsLiveIds?: boolean;
  /**
   * Whether to check that names are unique; objects in a state exist whatever their names.
   *
   * @default true
   */
  readonly comparesNames?: boolean;
  /**
   * The plan's configuration; used for values that are known only after apply, and to join
   * resources.
   */
  readonly configuration?: PlanConfiguration;
  /** Whether the resources of a type are requested, for custom rules. @default none */
  readonly wantsResource?: (type: string) => boolean;
  /**
   * Whether all declarations are requested, which takes as much memory as they do.
   *
   * @default false
   */
  readonly returnsDeclarations?: boolean;
}
