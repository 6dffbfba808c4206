import { type Construct, Fn, Token } from '../internal/cdktf.js';
import { cloudSettings } from '../internal/cloud-settings.js';
import { escapeInterpolationIn } from '../internal/interpolation.js';

/** The stack's tags merged with a resource's own; undefined if there are none. */
export function tagsOf(
  scope: Construct,
  own: Readonly<Record<string, string>> | undefined,
): Record<string, string> | undefined {
  const { tags: stackTags } = cloudSettings(scope);
  if (Token.isUnresolved(own))
    return stackTags === undefined
      ? { ...own }
      : Token.asStringMap(Fn.merge([escapeInterpolationIn(stackTags), own]));
  const tags = escapeInterpolationIn({ ...stackTags, ...own });
  return Object.keys(tags).length === 0 ? undefined : tags;
}
