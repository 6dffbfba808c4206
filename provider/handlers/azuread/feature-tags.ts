import type { Value, ValueMap } from '../../values/value.js';
import { blocks, isTrue, textList } from '../read-values.js';
import type { PlannedChange } from '../../planner/plan.js';

/** The tag of each feature. */
const featureTags = {
  custom_single_sign_on: 'WindowsAzureActiveDirectoryCustomSingleSignOnApplication',
  enterprise: 'WindowsAzureActiveDirectoryIntegratedApp',
  gallery: 'WindowsAzureActiveDirectoryGalleryApplicationNonPrimaryV1',
  hide: 'HideApp',
} as const;

/** The tags to send: the configured ones, or those of the configured features. */
export function tagsToSend(planned: ValueMap, config: ValueMap): string[] {
  const [feature] = blocks(config, 'feature_tags');
  if (feature !== undefined)
    return Object.entries(featureTags).flatMap(([name, tag]) =>
      isTrue(feature, name) ? [tag] : [],
    );
  const [deprecatedFeatures] = blocks(config, 'features');
  if (deprecatedFeatures !== undefined)
    return [
      ...(isTrue(deprecatedFeatures, 'custom_single_sign_on_app')
        ? [featureTags.custom_single_sign_on]
        : []),
      ...(isTrue(deprecatedFeatures, 'enterprise_application') ? [featureTags.enterprise] : []),
      ...(isTrue(deprecatedFeatures, 'gallery_application') ? [featureTags.gallery] : []),
      ...(deprecatedFeatures['visible_to_users'] === false ? [featureTags.hide] : []),
    ];
  return textList(planned, 'tags');
}

/** The features that tags stand for. */
export function flattenFeatureTags(tags: readonly string[]): Value {
  return [
    Object.fromEntries(
      Object.entries(featureTags).map(([name, tag]) => [name, tags.includes(tag)]),
    ),
  ];
}

/** The features that tags stand for, by the names of the deprecated block `features`. */
export function flattenFeatures(tags: readonly string[]): Value {
  return [
    {
      custom_single_sign_on_app: tags.includes(featureTags.custom_single_sign_on),
      enterprise_application: tags.includes(featureTags.enterprise),
      gallery_application: tags.includes(featureTags.gallery),
      visible_to_users: !tags.includes(featureTags.hide),
    },
  ];
}

/**
 * Tags and features represent the same data: a change of one changes the other, if it is in the
 * state.
 */
export function planTags(change: PlannedChange): void {
  const { prior, planned, config } = change;
  if (prior === undefined) return;
  const representations = ['tags', 'feature_tags', 'features'].filter((name) => name in planned);
  if (
    !representations.some((name) => JSON.stringify(prior[name]) !== JSON.stringify(planned[name]))
  )
    return;
  const isConfigured = (name: string): boolean =>
    blocks(config, name).length > 0 || textList(config, name).length > 0;
  const tags =
    isConfigured('tags') || representations.every((name) => !isConfigured(name))
      ? textList(planned, 'tags')
      : tagsToSend(planned, config);
  if (!isConfigured('tags')) change.set('tags', tags);
  if (!isConfigured('feature_tags') && blocks(prior, 'feature_tags').length > 0)
    change.set('feature_tags', flattenFeatureTags(tags));
  if (!isConfigured('features') && blocks(prior, 'features').length > 0)
    change.set('features', flattenFeatures(tags));
}
