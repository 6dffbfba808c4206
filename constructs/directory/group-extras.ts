import type { Construct } from '../internal/cdktf.js';
import type { CastellanGroupPropertiesConfig } from '../internal/castellan.js';
import { CastellanGroupProperties, CastellanGroupSettings } from '../internal/castellan.js';
import { literalData, literalText, optionalText } from '../internal/literal-text.js';
import { normalizedId } from '../internal/object-id.js';
import { requireProvider } from '../internal/providers.js';
import type { GroupProps } from './group-props.js';
import { objectIdsOf } from './reference.js';

/**
 * What the official provider has no argument for, by castellan's own: labels, licences, senders, classification, language and location
 * in one resource beside the group, and one resource for each setting.
 *
 * @returns the resource of the properties, if one is needed.
 */
export function createGroupExtras(scope: Construct, groupObjectId: string, props: GroupProps): CastellanGroupProperties | undefined {
  for (const [template, values] of Object.entries(props.settings ?? {})) createSettings(scope, groupObjectId, template, values);
  const properties = extraProperties(props);
  if (Object.values(properties).every((value) => value === undefined)) return undefined;
  requireProvider(scope, 'castellan');
  return new CastellanGroupProperties(scope, 'properties', { groupObjectId, ...properties });
}

function extraProperties(props: GroupProps): Omit<CastellanGroupPropertiesConfig, 'groupObjectId'> {
  return {
    classification: optionalText(props.classification),
    preferredLanguage: props.preferredLanguage,
    preferredDataLocation: optionalText(props.preferredDataLocation),
    uniqueName: optionalText(props.uniqueName),
    assignedLabelIds: props.assignedLabels?.map(({ labelId }) => normalizedId(labelId)),
    acceptedSenders: objectIdsOf(props.acceptedSenders),
    rejectedSenders: objectIdsOf(props.rejectedSenders),
    assignedLicenses: props.licenses?.map(({ skuId, disabledPlans }) => ({
      skuId: normalizedId(skuId),
      disabledPlans: disabledPlans?.map(normalizedId),
    })),
    accessType: props.accessType,
    subscribedByMail: props.isSubscribedByMail,
    favorite: props.isFavorite,
  };
}

function createSettings(
  scope: Construct,
  groupObjectId: string,
  template: string,
  values: Readonly<Record<string, string | number | boolean>>,
): void {
  requireProvider(scope, 'castellan');
  const texts = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  new CastellanGroupSettings(scope, `settings-${template}`, { groupObjectId, template: literalText(template), values: literalData(texts) });
}
