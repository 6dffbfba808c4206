import { omitUndefined } from '../../../core/values/omit-undefined.js';
import {
  type AddressStep,
  type InstanceAddress,
  printAddress,
  splitModules,
  stepsOf,
} from './address.js';
import { mostSpecificReferences } from './expressions.js';

/** The modules through which references are followed, by their paths (`network.subnets`). */
export interface ConfiguredModules {
  /** The resources with `count` or `for_each`. */
  readonly repeatedResources: ReadonlySet<string>;
  /** The references of the arguments of a module, by the name of its variable. */
  readonly arguments: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  /** The references in the `for_each` or `count` of a repeated module. */
  readonly repetitions: ReadonlyMap<string, readonly string[]>;
  /** The references of an output, by the path of its module and its name. */
  readonly outputs: ReadonlyMap<string, readonly string[]>;
}

/** The context of a reference: its module instance, and the instance key of its resource. */
export interface ReferenceScope {
  readonly modules: readonly AddressStep[];
  readonly key: string | undefined;
  /** The references in `for_each`, from which `each.value` comes. */
  readonly forEachReferences: readonly string[];
}

/** What is looked for, and where. */
export interface TargetSearch {
  /** The possible resource types. */
  readonly types: ReadonlySet<string>;
  readonly configured: ConfiguredModules;
}

/** The most steps through modules; deeper references would be a cycle, which no plan has. */
export const maxReferenceDepth = 30;

/**
 * The addresses of the resource instances that references lead to, through variables and outputs of
 * modules; `address[*]` means any instance.
 */
export function referenceTargets(
  references: readonly string[],
  scope: ReferenceScope,
  search: TargetSearch,
  depth = 0,
): ReadonlySet<string> {
  if (depth > maxReferenceDepth) return new Set();
  const usesKey = references.some((each) => /^(each\.(key|value)|count\.index)\b/.test(each));
  const targets = mostSpecificReferences(references).flatMap((reference) => {
    const steps = stepsOf(reference);
    const [first, second] = steps;
    if (first === undefined || second === undefined) return [];
    if (first.name === 'var') return [...targetsOfVariable(second.name, scope, search, depth)];
    if (first.name === 'each' && second.name === 'value') {
      // if it is a map of resources, its keys are theirs
      const sources = [...scope.forEachReferences, 'each.key'];
      return [...referenceTargets(sources, { ...scope, forEachReferences: [] }, search, depth + 1)];
    }
    if (first.name === 'module')
      return [...targetsOfOutput(steps, { ...scope, usesKey }, search, depth)];
    if (!search.types.has(first.name)) return [];
    return [addressOfInstance([first.name, second], { ...scope, usesKey }, search)];
  });
  return new Set(targets);
}

interface KeyedScope extends ReferenceScope {
  /** Whether the expression also refers to the key of its own resource. */
  readonly usesKey: boolean;
}

/**
 * The address of a resource instance; without a known key `[*]`, any instance of a repeated
 * resource.
 */
function addressOfInstance(
  [type, { name, key: ownKey }]: readonly [string, AddressStep],
  { modules, key: outerKey, usesKey }: KeyedScope,
  { configured }: TargetSearch,
): string {
  const target: InstanceAddress = { modules, type, name };
  const configuredAddress = printAddress({ ...target, modules: withoutStepKeys(modules) });
  if (!configured.repeatedResources.has(configuredAddress)) return printAddress(target);
  const key = ownKey ?? (usesKey ? outerKey : undefined);
  return key === undefined ? `${printAddress(target)}[*]` : printAddress({ ...target, key });
}

function targetsOfVariable(
  name: string,
  { modules }: ReferenceScope,
  search: TargetSearch,
  depth: number,
): ReadonlySet<string> {
  const path = pathOf(modules);
  const references = search.configured.arguments.get(path)?.get(name);
  if (references === undefined) return new Set();
  const outerScope = {
    modules: modules.slice(0, -1),
    key: modules.at(-1)?.key,
    forEachReferences: search.configured.repetitions.get(path) ?? [],
  };
  return referenceTargets(references, outerScope, search, depth + 1);
}

function targetsOfOutput(
  steps: readonly AddressStep[],
  scope: KeyedScope,
  search: TargetSearch,
  depth: number,
): ReadonlySet<string> {
  const { modules, rest } = splitModules(steps);
  const [block] = modules;
  const [output] = rest;
  if (block === undefined || output === undefined || modules.length !== 1) return new Set();
  const path = pathOf([...scope.modules, block]);
  const isRepeated = search.configured.repetitions.has(path);
  const key = isRepeated ? (block.key ?? (scope.usesKey ? scope.key : undefined)) : undefined;
  const references = search.configured.outputs.get(`${path}.${output.name}`);
  if (references === undefined || (isRepeated && key === undefined)) return new Set();
  const moduleScope = {
    modules: [...scope.modules, { name: block.name, ...omitUndefined({ key }) }],
    key: output.key ?? scope.key,
    forEachReferences: [],
  };
  // for an output that is a map, its key is the key of the resource
  const hasKey = output.key !== undefined || scope.usesKey;
  return referenceTargets(
    hasKey ? [...references, 'each.key'] : references,
    moduleScope,
    search,
    depth + 1,
  );
}

function pathOf(modules: readonly AddressStep[]): string {
  return modules.map(({ name }) => name).join('.');
}

function withoutStepKeys(modules: readonly AddressStep[]): readonly AddressStep[] {
  return modules.map(({ name }) => ({ name }));
}
