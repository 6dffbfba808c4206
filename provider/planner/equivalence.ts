import type { Attribute, BlockSchema, Nesting, ProviderSdk } from '../schemas/schema.js';
import { typeOfAttribute } from '../schemas/schema-builders.js';
import { equalValues } from '../values/equality.js';
import { isList, isMap, type Value } from '../values/value.js';

/**
 * Whether two values of an attribute are equivalent for the provider, so that the plan can keep the
 * one in the state.
 */
export function areEquivalent(
  attribute: Attribute,
  sdk: ProviderSdk,
  value: Value | undefined,
  otherValue: Value | undefined,
): boolean {
  const type = typeOfAttribute(attribute);
  if (equalValues(value, otherValue, type)) return true;
  if (sdk === 'sdkv2' && isEmpty(value) && isEmpty(otherValue)) return true;
  const { isEquivalent } = attribute;
  if (isEquivalent === undefined) return false;
  if (typeof value === 'string' && typeof otherValue === 'string')
    return isEquivalent(value, otherValue);
  if (!isList(value) || !isList(otherValue) || value.length !== otherValue.length) return false;
  const isEquivalentText = (one: Value, other: Value | undefined): boolean =>
    typeof one === 'string' && typeof other === 'string' && isEquivalent(one, other);
  if (Array.isArray(type) && type[0] === 'set')
    return value.every((one) => otherValue.some((other) => isEquivalentText(one, other)));
  return value.every((one, index) => isEquivalentText(one, otherValue[index]));
}

/**
 * The element of the prior set that matches a configured one: equal in every configured attribute.
 */
export function matchingElement(
  body: BlockSchema,
  sdk: ProviderSdk,
  element: Value,
  candidates: Value | undefined,
): Value | undefined {
  if (!isList(candidates)) return undefined;
  return candidates.find((candidate) => elementMatches(body, sdk, element, candidate));
}

function elementMatches(
  body: BlockSchema,
  sdk: ProviderSdk,
  element: Value,
  candidate: Value,
): boolean {
  if (!isMap(element) || !isMap(candidate)) return false;
  const attributesAgree = Object.entries(body.attributes).every(([name, attribute]) => {
    const configured = element[name] ?? null;
    if (configured === null && attribute.computed === true) return true;
    return areEquivalent(attribute, sdk, configured, candidate[name]);
  });
  return (
    attributesAgree &&
    Object.entries(body.blocks ?? {}).every(([name, block]) =>
      nestedMatches(block, block.nesting, sdk, element[name], candidate[name]),
    )
  );
}

function nestedMatches(
  body: BlockSchema,
  nesting: Nesting,
  sdk: ProviderSdk,
  element: Value | undefined,
  candidate: Value | undefined,
): boolean {
  if (nesting === 'single')
    return isMap(element) && isMap(candidate)
      ? elementMatches(body, sdk, element, candidate)
      : (element ?? null) === (candidate ?? null);
  const [left, right] = [isList(element) ? element : [], isList(candidate) ? candidate : []];
  if (left.length !== right.length) return false;
  return left.every((each, index) =>
    nesting === 'set'
      ? right.some((other) => elementMatches(body, sdk, each, other))
      : elementMatches(body, sdk, each, right[index] ?? null),
  );
}

/**
 * Whether SDKv2 treats a value as unset: null, "", 0, false, an empty list or map. Official
 * providers built with it show no difference between such a value and an absent one, so neither
 * does the plan here.
 */
export function isEmpty(value: Value | undefined): boolean {
  if (value === null || value === undefined || value === '' || value === 0 || value === false)
    return true;
  if (isList(value)) return value.length === 0;
  return isMap(value) && Object.keys(value).length === 0;
}
