import { type Construct, Fn, Token } from '../internal/cdktf.js';
import { cloudSettings } from '../internal/cloud-settings.js';
import { escapeInterpolationIn } from '../internal/interpolation.js';

/** The stack's tags merged with a resource's own; undefined if there are none. */
export function tagsOf(
  scope: Construct,
  own: Readonly<Record<string, string>> | undefined,
): Record<string, string> | undefined {
  const { tags: ofStack } = cloudSettings(scope);
  if (Token.isUnresolved(own))
    return ofStack === undefined
      ? { ...own }
      : Token.asStringMap(Fn.merge([escapeInterpolationIn(ofStack), own]));
  const tags = escapeInterpolationIn({ ...ofStack, ...own });
  return Object.keys(tags).length === 0 ? undefined : tags;
}
