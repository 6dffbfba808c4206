import { encodeNumber } from './number.js';
import {
  type TypeExpression,
  BigNumber,
  Dynamic,
  isList,
  isMap,
  isUnknown,
  type Value,
} from './value.js';

/**
 * Whether two values of a type are equal for Terraform: sets without order, everything else
 * exactly. Unknown equals only unknown.
 */
export function equalValues(
  a: Value | undefined,
  b: Value | undefined,
  type: TypeExpression,
): boolean {
  const [left, right] = [a ?? null, b ?? null];
  if (left === null || right === null) return left === right;
  if (isUnknown(left) || isUnknown(right)) return isUnknown(left) && isUnknown(right);
  if (type === 'dynamic') {
    if (!(left instanceof Dynamic) || !(right instanceof Dynamic)) return false;
    return (
      JSON.stringify(left.type) === JSON.stringify(right.type) &&
      equalValues(left.value, right.value, left.type)
    );
  }
  if (type === 'number') return equalNumbers(left, right);
  if (typeof type === 'string') return left === right;
  const [kind, elementType] = type;
  if (kind === 'object' || kind === 'map') {
    if (!isMap(left) || !isMap(right)) return false;
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    for (const name of names) {
      if (kind === 'map' && (!(name in left) || !(name in right))) return false;
      const memberType = typeOfMember(type, name);
      if (memberType !== undefined && !equalValues(left[name], right[name], memberType))
        return false;
    }
    return true;
  }
  if (!isList(left) || !isList(right) || left.length !== right.length) return false;
  if (kind === 'tuple')
    return elementType.every((each, index) => equalValues(left[index], right[index], each));
  if (kind === 'list')
    return left.every((each, index) => equalValues(each, right[index], elementType));
  return equalSets(left, right, elementType);
}

function typeOfMember(
  type: Exclude<TypeExpression, string>,
  name: string,
): TypeExpression | undefined {
  if (type[0] === 'map') return type[1];
  return type[0] === 'object' ? type[1][name] : undefined;
}

/** Numbers are equal if their digits are, in any representation. */
function equalNumbers(a: Value, b: Value): boolean {
  const isNumber = (value: Value): value is number | BigNumber =>
    typeof value === 'number' || value instanceof BigNumber;
  return isNumber(a) && isNumber(b) && String(encodeNumber(a)) === String(encodeNumber(b));
}

function equalSets(
  left: readonly Value[],
  right: readonly Value[],
  elementType: TypeExpression,
): boolean {
  const rest = [...right];
  return left.every((each) => {
    const index = rest.findIndex((other) => equalValues(each, other, elementType));
    if (index < 0) return false;
    rest.splice(index, 1);
    return true;
  });
}

/**
 * Whether two values are the same JSON, whatever their types (a list and a tuple of the same items
 * are).
 */
export function equalAsJson(a: Value, b: Value): boolean {
  const [left, right] = [unwrap(a), unwrap(b)];
  if (isList(left) && isList(right))
    return (
      left.length === right.length &&
      left.every((each, index) => equalAsJson(each, right[index] ?? null))
    );
  if (isMap(left) && isMap(right)) {
    const names = new Set([...Object.keys(left), ...Object.keys(right)]);
    return [...names].every(
      (name) =>
        name in left && name in right && equalAsJson(left[name] ?? null, right[name] ?? null),
    );
  }
  return left === right;
}

function unwrap(value: Value): Value {
  if (value instanceof Dynamic) return unwrap(value.value);
  return value instanceof BigNumber ? value.text : value;
}
