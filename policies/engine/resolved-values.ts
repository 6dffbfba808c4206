import type { ConfigPath } from '../../core/yaml/layers.js';
import { valueAt } from './schema-validation.js';
import { type Declaration, startsWith } from './stack-index.js';

/** Values that the source refers to and a plan, a state or a directory knows. */
export interface ResolvedValues {
  /**
   * The value at a path of a declaration; undefined if the plan, state or directory doesn't know
   * it.
   *
   * @param declared the declaration in the source.
   */
  valueAt(section: string, name: string, path: ConfigPath, declared: unknown): unknown;
}

/** Values of known declarations, by `section.name`. */
export function resolvedValues(declarations: ReadonlyMap<string, Declaration>): ResolvedValues {
  return {
    valueAt(section, name, path, declared) {
      const declaration = declarations.get(`${section}.${name}`);
      if (
        declaration === undefined ||
        declaration.unknownPaths.some(
          (unknownPath) => startsWith(path, unknownPath) || startsWith(unknownPath, path),
        )
      )
        return undefined;
      const index = path.findIndex((step) => typeof step === 'number');
      if (index === -1) return valueAt(declaration.value, path);
      // Lists in a plan are unordered sets: entries that are not in both are compared with each
      // other.
      const listPath = path.slice(0, index);
      const [resolvedList, declaredList]: unknown[] = [
        valueAt(declaration.value, listPath),
        valueAt(declared, listPath),
      ];
      if (
        index !== path.length - 1 ||
        !Array.isArray(resolvedList) ||
        !Array.isArray(declaredList) ||
        resolvedList.length !== declaredList.length
      )
        return undefined;
      const unmatchedIndex = declaredList
        .slice(0, Number(path[index]))
        .filter((item) => !resolvedList.includes(item)).length;
      return resolvedList.filter((item) => !declaredList.includes(item))[unmatchedIndex] as unknown;
    },
  };
}
