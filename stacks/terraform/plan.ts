import { omitUndefined } from '../../core/values/omit-undefined.js';
import { deletionLossOf } from '../../kinds/stack/deletion-losses.js';

/** A plan in the form of `terraform show -json`, as far as Castellan reads it. */
export interface TerraformPlan {
  readonly resource_changes?: readonly ResourceChange[];
  /** What changed outside of Terraform since the last apply. */
  readonly resource_drift?: readonly ResourceChange[];
  /** What exists after the apply; an empty module after a destruction. */
  readonly planned_values?: { readonly root_module: object };
  readonly output_changes?: Readonly<Record<string, { readonly actions: readonly string[] }>>;
  /**
   * Whether applying it has an effect, including the removal of deleted objects from the state.
   * Absent with OpenTofu.
   */
  readonly applyable?: boolean;
}

/** One resource of a plan. */
export interface ResourceChange {
  readonly address: string;
  readonly type: string;
  readonly name: string;
  readonly mode: 'managed' | 'data';
  /** Its address in the state, if a `moved` block gives it another one. */
  readonly previous_address?: string;
  readonly change: {
    readonly actions: readonly ('no-op' | 'create' | 'read' | 'update' | 'delete' | 'forget')[];
    readonly before: Readonly<Record<string, unknown>> | null;
    readonly after: Readonly<Record<string, unknown>> | null;
    /** Where the value is known only after the apply: `true` in the places of `after`. */
    readonly after_unknown?: unknown;
    /** Where `before` and `after` hold secrets, in the same form. */
    readonly before_sensitive?: unknown;
    readonly after_sensitive?: unknown;
    /** The paths of the attributes that force a replacement. */
    readonly replace_paths?: readonly (readonly (string | number)[])[];
  };
}

/** The action of a plan on one resource. */
export type PlannedAction = 'create' | 'update' | 'replace' | 'delete';

/** A change in a plan, for messages and reports. */
export interface PlannedChange {
  readonly address: string;
  readonly type: string;
  readonly action: PlannedAction;
  /** The attributes that force a replacement, such as `mail_nickname`. */
  readonly because: readonly string[];
  /** What is lost permanently, if anything. */
  readonly loss?: string;
}

/** The changes of a plan, without reads and no-ops. */
export function plannedChanges(plan: TerraformPlan): PlannedChange[] {
  return (plan.resource_changes ?? []).flatMap((resource) => {
    const action = actionOf(resource.change.actions);
    if (resource.mode !== 'managed' || action === undefined) return [];
    const because = (resource.change.replace_paths ?? []).map((path) => path.join('.'));
    const loss =
      action === 'replace' || action === 'delete'
        ? deletionLossOf(resource.type, because)
        : undefined;
    return [
      {
        address: resource.address,
        type: resource.type,
        action,
        because,
        ...omitUndefined({ loss }),
      },
    ];
  });
}

/** The addresses that a plan changes in the state, by `moved` blocks. */
export function plannedMoves(plan: TerraformPlan): readonly MovedAddress[] {
  return (plan.resource_changes ?? []).flatMap(({ previous_address: from, address: to }) =>
    from === undefined || from === to ? [] : [{ from, to }],
  );
}

/** An address of the state before and after a move. */
export interface MovedAddress {
  readonly from: string;
  readonly to: string;
}

/** Whether a plan changes outputs, which counts as a change even without changed resources. */
export function changesOutputs(plan: TerraformPlan): boolean {
  return Object.values(plan.output_changes ?? {}).some(({ actions }) =>
    actions.some((action) => action !== 'no-op'),
  );
}

function actionOf(actions: ResourceChange['change']['actions']): PlannedAction | undefined {
  if (actions.includes('create') && actions.includes('delete')) return 'replace';
  return (['create', 'update', 'delete'] as const).find((action) => actions.includes(action));
}
