import type { PlannedChange } from '../../../planner/planned-change.js';
import type { Value, ValueMap } from '../../../values/value.js';
import { isUnknown } from '../../../values/value.js';
import { blocks, flag, oneBlock, text } from '../../read-values.js';

/** What the official provider looks at when it plans an app: weights that point nowhere, secrets without a source. */
export function planContainerApp(change: PlannedChange): void {
  const { config } = change;
  for (const [index, weight] of blocks(oneBlock(config, 'ingress'), 'traffic_weight').entries())
    if (
      !flag(weight, 'latest_revision') &&
      text(weight, 'revision_suffix') === undefined &&
      !isOpen(weight, 'latest_revision', 'revision_suffix')
    )
      change.error(
        'at least one of `latest_revision` or `revision_suffix` must be specified for `traffic_weight`',
        undefined,
        'ingress',
        0,
        'traffic_weight',
        index,
      );
  for (const secret of blocks(config, 'secret')) planSecret(secret, change);
}

function planSecret(secret: ValueMap, change: PlannedChange): void {
  if (isOpen(secret, 'value', 'key_vault_secret_id', 'identity')) return;
  const name = text(secret, 'name') ?? '';
  const [value, vault, identity] = ['value', 'key_vault_secret_id', 'identity'].map((each) => (secret[each] ?? null) !== null);
  if (vault !== identity) change.error(`secret "${name}": must supply both \`key_vault_secret_id\` and \`identity\``, undefined, 'secret');
  else if (value === vault)
    change.error(`secret "${name}": must supply either \`value\`, or \`key_vault_secret_id\` and \`identity\``, undefined, 'secret');
}

function isOpen(from: ValueMap, ...names: readonly string[]): boolean {
  return names.some((name) => isUnknown(from[name] as Value | undefined));
}
