import { omitUndefined } from '../../core/values/omit-undefined.js';
import { tagLimits } from '../../kinds/schema/tags.js';
import { badRequest, invalidContent } from './errors.js';
import { asObject } from './json.js';
import type { ReadContext, ResourceKind } from './kind.js';
import type { Json, StoredResource } from './store.js';

/**
 * A resource in an answer: the cloud's envelope around the properties of its kind. `otherMembers`
 * has what is beside `properties` in the body, such as `sku`.
 */
export async function presentResource(
  resource: StoredResource,
  kind: ResourceKind,
  context: ReadContext,
): Promise<Json> {
  const { id, name, type, location, tags, identity, otherMembers, createdAt, changedAt } = resource;
  const systemData = {
    createdAt,
    createdByType: 'Application',
    lastModifiedAt: changedAt,
    lastModifiedByType: 'Application',
  };
  return {
    id,
    name,
    type,
    ...(!kind.isProxyResource && { location, tags }),
    ...otherMembers,
    ...omitUndefined({ identity }),
    systemData,
    properties: await kind.presentProperties(resource, context),
  };
}

const tagName = new RegExp(tagLimits.keyPattern);
/** The link of a web test to its component, which has the id of a resource in its name. */
const hiddenLinkPrefix = 'hidden-link:/';

/**
 * The tags of a body.
 *
 * @throws ArmError 400 for too many tags, names or values that are too long, or characters that are
 *   not allowed in names.
 */
export function readTags(body: Json): Readonly<Record<string, string>> {
  const input = body['tags'];
  if (input === undefined || input === null) return {};
  const tags = asObject(input);
  if (tags === undefined) throw invalidContent("'tags' is not an object.");
  const entries = Object.entries(tags);
  const {
    count,
    value: { maxLength },
  } = tagLimits;
  if (entries.length > count)
    throw badRequest(
      'InvalidTags',
      `A resource can have ${count} tags: ${entries.length} were given.`,
    );
  for (const [name, value] of entries) {
    if (typeof value !== 'string') throw invalidContent(`the tag '${name}' is not a string.`);
    if (name.trim() === '' || !(tagName.test(name) || name.startsWith(hiddenLinkPrefix)))
      throw badRequest(
        'InvalidTagNameCharacters',
        `The tag name '${name}' is not allowed: 1 to 512 characters, none of < > % & \\ ? /.`,
      );
    if (value.length > maxLength)
      throw badRequest(
        'InvalidTagValue',
        `The value of the tag '${name}' has ${value.length} characters: at most ${maxLength} are allowed.`,
      );
  }
  return tags as Readonly<Record<string, string>>;
}

/** Whether two spellings mean the same location: "West Europe" and "westeurope" do. */
export function isSameLocation(a: string | undefined, b: string | undefined): boolean {
  const normalize = (text = ''): string => text.toLowerCase().replaceAll(' ', '');
  return normalize(a) === normalize(b);
}
