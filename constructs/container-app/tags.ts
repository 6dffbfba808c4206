import { type Construct, Fn, Token } from '../internal/cdktf.js';
import { cloudSettings } from '../internal/cloud-settings.js';
import { escapeInterpolationIn } from '../internal/interpolation.js';

/** The stack's tags merged with a resource's own; undefined if there are none. */
export function tagsOf(
  scope: Construct,
  ownTags: Readonly<Record<string, string>> | undefined,
): Record<string, string> | undefined {
  const { tags: stackTags } = cloudSettings(scope);
  if (Token.isUnresolved(ownTags))
    return stackTags === undefined
      ? { ...ownTags }
      : Token.asStringMap(Fn.merge([escapeInterpolationIn(stackTags), ownTags]));
  const tags = escapeInterpolationIn({ ...stackTags, ...ownTags });
  return Object.keys(tags).length === 0 ? undefined : tags;
}
