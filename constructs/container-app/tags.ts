import { type Construct, Fn, Token } from '../internal/cdktf.js';
import { cloudSettings } from '../internal/cloud-settings.js';
import { escapeInterpolation, escapeInterpolationIn } from '../internal/interpolation.js';

type Tags = Readonly<Record<string, string>>;

/** The stack's tags merged with a resource's own; undefined if there are none. */
export function mergeStackTags(
  scope: Construct,
  ownTags: Tags | undefined,
): Record<string, string> | undefined {
  const { tags: stackTags } = cloudSettings(scope);
  const given = [stackTags, ownTags].filter((each) => each !== undefined);
  if (given.some((each) => Token.isUnresolved(each)))
    return Token.asStringMap((given.length === 1 ? given[0] : mergeInTerraform(given)) as never);
  const tags = escapeInterpolationIn({ ...stackTags, ...ownTags });
  return Object.keys(tags).length === 0 ? undefined : tags;
}

/** The expression that merges maps; cdktf escapes the values in it, but not the keys. */
function mergeInTerraform(maps: readonly Tags[]): unknown {
  const withEscapedKeys = (tags: Tags): Tags =>
    Object.fromEntries(
      Object.entries(tags).map(([key, value]) => [escapeInterpolation(key), value]),
    );
  return Fn.merge(maps.map((each) => (Token.isUnresolved(each) ? each : withEscapedKeys(each))));
}
