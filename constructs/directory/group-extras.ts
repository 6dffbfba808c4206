import { group } from '../../kinds/group/group.js';
import type { Construct } from '../internal/cdktf.js';
import { attributesOf } from '../internal/declared-attributes.js';
import { literalData, literalText } from '../internal/literal-text.js';
import { requireProvider } from '../internal/providers.js';
import { UnboundResource } from '../internal/unbound-resource.js';
import type { GroupProps } from './group-props.js';
import { objectIdsOf } from './reference.js';

/**
 * What the official provider has no argument for, by castellan's own: labels, licences, senders, classification, language and location
 * in one resource beside the group, and one resource for each setting.
 *
 * @returns the resource of the properties, if one is needed.
 */
export function createGroupExtras(scope: Construct, groupObjectId: string, props: GroupProps): UnboundResource | undefined {
  for (const [template, values] of Object.entries(props.settings ?? {})) createSettings(scope, groupObjectId, template, values);
  const acceptedSenders = objectIdsOf(props.acceptedSenders);
  const rejectedSenders = objectIdsOf(props.rejectedSenders);
  const properties = attributesOf(group, 'castellan_group_properties', { ...props, acceptedSenders, rejectedSenders });
  if (Object.keys(properties).length === 0) return undefined;
  requireProvider(scope, 'castellan');
  return new UnboundResource(scope, 'properties', 'castellan_group_properties', { group_object_id: groupObjectId, ...properties });
}

function createSettings(
  scope: Construct,
  groupObjectId: string,
  template: string,
  values: Readonly<Record<string, string | number | boolean>>,
): void {
  requireProvider(scope, 'castellan');
  const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  const attributes = { group_object_id: groupObjectId, template: literalText(template), values: literalData(texts) };
  new UnboundResource(scope, `settings-${template}`, 'castellan_group_settings', attributes);
}
