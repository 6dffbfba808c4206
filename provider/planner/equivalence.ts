import type { Attribute, Body, Nesting, Style } from '../schemas/schema.js';
import { typeOfAttribute } from '../schemas/schema-builders.js';
import { equalValues } from '../values/equality.js';
import { isList, isMap, type Value } from '../values/value.js';

/**
 * Whether two values of an attribute are equivalent for the provider, so that the present one can
 * stay.
 */
export function areEquivalent(
  attribute: Attribute,
  style: Style,
  a: Value | undefined,
  b: Value | undefined,
): boolean {
  const type = typeOfAttribute(attribute);
  if (equalValues(a, b, type)) return true;
  if (style === 'classic' && isEmpty(a) && isEmpty(b)) return true;
  const { same } = attribute;
  if (same === undefined) return false;
  if (typeof a === 'string' && typeof b === 'string') return same(a, b);
  if (!isList(a) || !isList(b) || a.length !== b.length) return false;
  const isEquivalentText = (one: Value, other: Value | undefined): boolean =>
    typeof one === 'string' && typeof other === 'string' && same(one, other);
  if (Array.isArray(type) && type[0] === 'set')
    return a.every((one) => b.some((other) => isEquivalentText(one, other)));
  return a.every((one, index) => isEquivalentText(one, b[index]));
}

/**
 * The element of the prior set that matches a configured one: equal in every configured attribute.
 */
export function matchingElement(
  body: Body,
  style: Style,
  element: Value,
  candidates: Value | undefined,
): Value | undefined {
  if (!isList(candidates)) return undefined;
  return candidates.find((candidate) => elementMatches(body, style, element, candidate));
}

function elementMatches(body: Body, style: Style, element: Value, candidate: Value): boolean {
  if (!isMap(element) || !isMap(candidate)) return false;
  const attributesAgree = Object.entries(body.attributes).every(([name, attribute]) => {
    const configured = element[name] ?? null;
    if (configured === null && attribute.computed === true) return true;
    return areEquivalent(attribute, style, configured, candidate[name]);
  });
  return (
    attributesAgree &&
    Object.entries(body.blocks ?? {}).every(([name, block]) =>
      nestedMatches(block, block.nesting, style, element[name], candidate[name]),
    )
  );
}

function nestedMatches(
  body: Body,
  nesting: Nesting,
  style: Style,
  element: Value | undefined,
  candidate: Value | undefined,
): boolean {
  if (nesting === 'single')
    return isMap(element) && isMap(candidate)
      ? elementMatches(body, style, element, candidate)
      : (element ?? null) === (candidate ?? null);
  const [left, right] = [isList(element) ? element : [], isList(candidate) ? candidate : []];
  if (left.length !== right.length) return false;
  return left.every((each, index) =>
    nesting === 'set'
      ? right.some((other) => elementMatches(body, style, each, other))
      : elementMatches(body, style, each, right[index] ?? null),
  );
}

/**
 * Whether the classic kit treats a value as unset: null, "", 0, false, an empty list or map.
 * Official providers of that kit show no difference between such a value and an absent one, so
 * neither do we.
 */
export function isEmpty(value: Value | undefined): boolean {
  if (value === null || value === undefined || value === '' || value === 0 || value === false)
    return true;
  if (isList(value)) return value.length === 0;
  return isMap(value) && Object.keys(value).length === 0;
}
