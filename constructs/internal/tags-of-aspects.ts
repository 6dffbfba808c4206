import type { TerraformElement } from './cdktf.js';

/**
 * Makes a resource whose tags are a list (an object of the directory, an item) discard a map of
 * tags: an Aspect that tags every resource assigns the map that most resources have.
 */
export function discardTagMapOfAspects(resource: TerraformElement): void {
  const property = tagsPropertyOf(Object.getPrototypeOf(resource) as object | null);
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

function tagsPropertyOf(prototype: object | null): PropertyDescriptor | undefined {
  if (prototype === null) return undefined;
  return (
    Object.getOwnPropertyDescriptor(prototype, 'tags') ??
    tagsPropertyOf(Object.getPrototypeOf(prototype) as object | null)
  );
}
