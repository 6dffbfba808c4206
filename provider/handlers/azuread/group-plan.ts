import type { PlannedChange } from '../../planner/planned-change.js';
import type { ValueMap } from '../../values/value.js';
import { isUnknown } from '../../values/value.js';
import { blocks, flag, text, texts } from '../read-values.js';

/** Properties that only unified groups have; the flags count when they are true. */
const unifiedOnly = ['behaviors', 'provisioning_options', 'theme'] as const;
const unifiedOnlyFlags = [
  'auto_subscribe_new_members',
  'external_senders_allowed',
  'hide_from_address_lists',
  'hide_from_outlook_clients',
] as const;

/** The official provider's rules about a group that its schema can't say; they are looked at when it plans. */
export function planGroup(change: PlannedChange): void {
  const { config, prior, planned } = change;
  for (const [summary, attribute] of mistakes(config)) change.error(summary, undefined, attribute);
  const [before, after] = [text(prior, 'visibility'), text(planned, 'visibility')];
  if (before !== undefined && before !== 'Hiddenmembership' && after === 'Hiddenmembership') change.replaceBecauseOf('visibility');
}

function* mistakes(config: ValueMap): Generator<readonly [summary: string, attribute: string]> {
  if (isUnknown(config['types'])) return;
  const types = texts(config, 'types');
  const [isUnified, isDynamic] = [types.includes('Unified'), types.includes('DynamicMembership')];
  const [mail, security] = [flag(config, 'mail_enabled'), flag(config, 'security_enabled')];
  const isOpen = (name: string): boolean => isUnknown(config[name]);
  if (isDynamic && blocks(config, 'dynamic_membership').length === 0 && !isOpen('dynamic_membership'))
    yield ['`dynamic_membership` must be specified when `types` contains "DynamicMembership"', 'types'];
  if (mail && !isUnified) yield ['`types` must contain "Unified" for mail-enabled groups', 'types'];
  if (!mail && isUnified && !isOpen('mail_enabled')) yield ['`mail_enabled` must be true for unified groups', 'mail_enabled'];
  if (mail && text(config, 'mail_nickname') === undefined && !isOpen('mail_nickname'))
    yield ['`mail_nickname` is required for mail-enabled groups', 'mail_nickname'];
  if (flag(config, 'assignable_to_role') && !security && !isOpen('security_enabled'))
    yield ['`assignable_to_role` can only be `true` for security-enabled groups', 'assignable_to_role'];
  if (isUnified) return;
  for (const name of unifiedOnlyFlags) if (flag(config, name)) yield [`\`${name}\` is only supported for unified groups`, name];
  for (const name of unifiedOnly)
    if (texts(config, name).length > 0 || text(config, name) !== undefined)
      yield [`\`${name}\` is only supported for unified groups`, name];
  if (text(config, 'visibility') === 'Hiddenmembership')
    yield ['`visibility` can only be "Hiddenmembership" for unified groups', 'visibility'];
}
