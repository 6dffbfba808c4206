import { type TerraformElement, TerraformResource } from './cdktf.js';

const attributesByElement = new WeakMap<TerraformElement, Readonly<Record<string, unknown>>>();

/**
 * Records the attributes that a construct gives its resource, so that later changes (by overrides,
 * Aspects and setters) are found and checked.
 */
export function recordCreatedAttributes(element: TerraformElement): void {
  if (!TerraformResource.isTerraformResource(element)) return;
  const { synthesizeAttributes } = element as unknown as {
    synthesizeAttributes(): Readonly<Record<string, unknown>>;
  };
  attributesByElement.set(element, synthesizeAttributes.call(element));
}

/** The attributes that its construct gave a resource, if recorded. */
export function createdAttributes(
  element: TerraformElement,
): Readonly<Record<string, unknown>> | undefined {
  return attributesByElement.get(element);
}
