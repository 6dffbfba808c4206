import type { TerraformElement } from './cdktf.js';

/**
 * Keeps the tags of an object of the directory or an item, which are a list: the usual Aspect that
 * tags every resource sets a map, as the cloud's resources have one.
 */
export function ignoreMapOfTags(resource: TerraformElement): void {
  const property = propertyOf(Object.getPrototypeOf(resource) as object | null);
  if (property?.set === undefined) return;
  const { get, set } = property;
  Object.defineProperty(resource, 'tags', {
    configurable: true,
    get,
    set(tags: unknown) {
      if (Array.isArray(tags)) set.call(resource, tags);
    },
  });
}

function propertyOf(prototype: object | null): PropertyDescriptor | undefined {
  if (prototype === null) return undefined;
  return (
    Object.getOwnPropertyDescriptor(prototype, 'tags') ??
    propertyOf(Object.getPrototypeOf(prototype) as object | null)
  );
}
