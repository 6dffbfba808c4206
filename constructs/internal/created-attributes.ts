import { type TerraformElement, TerraformResource } from './cdktf.js';

const created = new WeakMap<TerraformElement, Readonly<Record<string, unknown>>>();

/**
 * Records the attributes that a construct gives its resource: what overrides, Aspects and setters
 * change later is judged once more.
 */
export function recordCreatedAttributes(element: TerraformElement): void {
  if (!TerraformResource.isTerraformResource(element)) return;
  const { synthesizeAttributes } = element as unknown as {
    synthesizeAttributes(): Readonly<Record<string, unknown>>;
  };
  created.set(element, synthesizeAttributes.call(element));
}

/** The attributes that its construct gave a resource, if recorded. */
export function createdAttributes(
  element: TerraformElement,
): Readonly<Record<string, unknown>> | undefined {
  return created.get(element);
}
