import { isObject } from '../../../core/values/is-object.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import type { JsonPlace } from '../json/json-elements.js';
import type { ReadElements } from '../json/read-elements.js';
import {
  type AddressStep,
  type InstanceAddress,
  parseAddress,
  printAddress,
  splitModules,
  stepsOf,
} from './address.js';

type Values = Readonly<Record<string, unknown>>;

const resource: JsonPlace = { element: true };
const output: JsonPlace = { element: true };
const argumentsOfCall: JsonPlace = { element: true };
const forEachOfCall: JsonPlace = { element: true };
const countOfCall: JsonPlace = { element: true };
const moduleKeys: Record<string, JsonPlace> = {
  resources: { items: resource },
  outputs: { each: output },
};
const callKeys = {
  expressions: argumentsOfCall,
  count_expression: countOfCall,
  for_each_expression: forEachOfCall,
};
moduleKeys['module_calls'] = { each: { keys: { ...callKeys, module: { keys: moduleKeys } } } };

/** The configuration's places in a plan. */
export const configurationPlace: JsonPlace = { keys: { root_module: { keys: moduleKeys } } };

/**
 * The attributes that an expression sets: a list for blocks; for one expression, its parts if they
 * are known before the plan (`each.value.mail var.name`, empty for null), otherwise `true`.
 */
type Shape = true | string | readonly Shape[] | { readonly [attribute: string]: Shape };

/** The configuration of a resource, for all its instances. */
interface ConfiguredResource {
  readonly shape: Shape;
  /** The references of the attributes that join resources. */
  readonly references: ReadonlyMap<string, readonly string[]>;
  /** The attributes that are set to an empty list. */
  readonly emptyLists: readonly string[];
  /** The source of `each.value`. */
  readonly forEach: readonly string[];
}

/** The attributes by which resources refer to each other. */
const joiningAttributes = [
  'group_object_id',
  'members',
  'parent_id',
  'application_id',
  'workspace_id',
  'resource_group_name',
] as const;

/** The context of a reference: its module instance, and the instance key of its resource. */
interface Scope {
  readonly modules: readonly AddressStep[];
  readonly key: string | undefined;
  readonly forEach: readonly string[];
}

/** The context of an expression: the path of its module, and the source of `each.value`. */
interface GivenScope {
  readonly modules: readonly string[];
  readonly forEach: readonly string[];
}

/** A deeper nesting would be modules that call each other in a cycle, which no plan has. */
const deepest = 30;

/**
 * The configuration of a plan, for questions that the plan's values leave open: which attributes
 * are set at all, and the references of those that are known only after apply. Keeps only what was
 * requested before it is read, if the plan has it in that order.
 */
export class PlanConfiguration {
  readonly #resources = new Map<string, ConfiguredResource>();
  readonly #repeated = new Set<string>();
  /** The references of a module's arguments, by its path. */
  readonly #calls = new Map<string, ReadonlyMap<string, readonly string[]>>();
  /** The `for_each` or `count` of repeated modules. */
  readonly #repeatedCalls = new Map<string, readonly string[]>();
  readonly #outputs = new Map<string, readonly string[]>();
  readonly #asked = new Set<string>();
  readonly #shapes = new Map<string, Shape>();
  #hasResourcesFirst = false;
  /** Whether Terraform knew the variables when it wrote this. */
  #isPlanned = true;

  /**
   * @param wantsReferencesOf whether to keep all references of a resource type, not only those that
   *   join resources.
   */
  constructor(private readonly wantsReferencesOf: (type: string) => boolean = () => false) {}

  /** Requests the configuration of a resource instance. */
  ask(address: string): void {
    this.#asked.add(withoutIndexes(address));
  }

  /**
   * Notes that the resources of the plan follow: from here on, only requested configuration is
   * kept.
   */
  startResources(): void {
    this.#hasResourcesFirst = this.#resources.size === 0;
  }

  /**
   * Adds the configuration of a resource outside a plan, such as one in a construct tree, in the
   * form of a plan's expressions.
   */
  declare(address: string, expressions: Readonly<Record<string, unknown>>): void {
    this.#isPlanned = false;
    this.#takeResource([], { address, expressions });
  }

  /** Takes elements of the file; false if they are not part of the configuration. */
  take({ elements, place, keys }: ReadElements): boolean {
    if (place === resource) for (const each of elements) this.#takeResource(keys, each as Values);
    else if (place === output)
      for (const each of elements)
        this.#outputs.set(keys.join('.'), referencesIn((each as Values)['expression']));
    else if (place === argumentsOfCall)
      for (const each of elements)
        this.#calls.set(keys.join('.'), referencesByName(each as Values));
    else if (place === forEachOfCall || place === countOfCall)
      for (const each of elements) this.#repeatedCalls.set(keys.join('.'), referencesIn(each));
    else return false;
    return true;
  }

  /**
   * Whether the configuration sets an attribute of a resource; undefined if it does not have the
   * resource.
   */
  sets(address: string, path: ConfigPath): boolean | undefined {
    const shape = this.#shapeAt(address, path);
    return shape === undefined ? undefined : shape !== false;
  }

  /**
   * Whether the provider chooses a value that is known only after apply: the configuration does not
   * set it, or only from variables, which Terraform knows when it plans, so that they must be null.
   */
  isLeftToProvider(address: string, path: ConfigPath): boolean {
    const shape = this.#shapeAt(address, path);
    if (typeof shape !== 'string' || !this.#isPlanned) return shape === false;
    const [own, configured] = [parseAddress(address), this.#resources.get(withoutIndexes(address))];
    const modules = own?.modules.map(({ name }) => name) ?? [];
    return this.#isGiven(shape.split(' '), { modules, forEach: configured?.forEach ?? [] }, 0);
  }

  /**
   * The shape at a path of a resource: false if nothing is set there, undefined if the
   * configuration does not have the resource.
   */
  #shapeAt(address: string, path: ConfigPath): Shape | false | undefined {
    const configured = this.#resources.get(withoutIndexes(address));
    if (configured === undefined) return undefined;
    let current: Shape = configured.shape;
    for (const [index, step] of path.entries()) {
      if (current === true || typeof current === 'string') return current;
      const next: Shape | undefined = (current as Readonly<Record<string | number, Shape>>)[step];
      // Terraform omits dynamic blocks: if it shows no block, a dynamic one set the values
      if (next === undefined)
        return typeof step === 'number' || typeof path[index + 1] === 'number' || blocks.has(step);
      current = next;
    }
    return current;
  }

  /**
   * Whether references lead only to variables of the root module, keys and counts, through the
   * arguments of modules.
   */
  #isGiven(references: readonly string[], scope: GivenScope, depth: number): boolean {
    const path = scope.modules.join('.');
    return references.every((reference) => {
      if (!isInput(reference)) return reference === '';
      if (depth > deepest) return false;
      if (/^each\.value\b/.test(reference))
        return this.#isGiven(scope.forEach, { ...scope, forEach: [] }, depth + 1);
      const variable = /^var\.([^.[]+)/.exec(reference)?.[1];
      if (variable === undefined || path === '') return true;
      const around = {
        modules: scope.modules.slice(0, -1),
        forEach: this.#repeatedCalls.get(path) ?? [],
      };
      return this.#isGiven(this.#calls.get(path)?.get(variable) ?? [], around, depth + 1);
    });
  }

  /**
   * Whether the configuration sets an attribute to an empty list, which providers may show as known
   * only after apply.
   */
  setsEmptyList(address: string, attribute: string): boolean {
    return this.#resources.get(withoutIndexes(address))?.emptyLists.includes(attribute) === true;
  }

  /**
   * The references of each attribute of a resource, as written; only for resources requested with
   * all their references.
   */
  allReferencesOf(address: string): Readonly<Record<string, readonly string[]>> {
    const references = this.#resources.get(withoutIndexes(address))?.references ?? [];
    return Object.fromEntries([...references].map(([name, each]) => [name, longest(each)]));
  }

  /** The references of an attribute of a resource, as written. */
  referencesOf(address: string, attribute: string): readonly string[] {
    return longest(this.#resources.get(withoutIndexes(address))?.references.get(attribute) ?? []);
  }

  /**
   * The address of the one resource instance that an attribute refers to, through variables and
   * outputs of modules; undefined if there is none, there are several, or the plan does not contain
   * them, such as local values.
   *
   * @param types the possible resource types.
   */
  targetOf(address: string, attribute: string, types: ReadonlySet<string>): string | undefined {
    const own = parseAddress(address);
    const configured = this.#resources.get(withoutIndexes(address));
    const references = configured?.references.get(attribute);
    if (own === undefined || configured === undefined || references === undefined) return undefined;
    const scope = { modules: own.modules, key: own.key, forEach: configured.forEach };
    const result = this.#targets(references, scope, types, 0);
    const [only] = result;
    return result.size === 1 ? only : undefined;
  }

  /**
   * The addresses that each attribute and block of a resource refers to, through variables and
   * outputs of modules; `address[*]` means any instance. Only for resources requested with all
   * their references.
   *
   * @param types the possible resource types.
   */
  targetsOf(address: string, types: ReadonlySet<string>): ReadonlyMap<string, ReadonlySet<string>> {
    const [own, configured] = [parseAddress(address), this.#resources.get(withoutIndexes(address))];
    if (own === undefined || configured === undefined) return new Map();
    const scope = { modules: own.modules, key: own.key, forEach: configured.forEach };
    return new Map(
      [...configured.references].map(([name, each]) => [
        name,
        this.#targets(each, scope, types, 0),
      ]),
    );
  }

  #targets(
    references: readonly string[],
    scope: Scope,
    types: ReadonlySet<string>,
    depth: number,
  ): ReadonlySet<string> {
    const result = new Set<string>();
    if (depth > deepest) return result;
    const usesKey = references.some((each) => /^(each\.(key|value)|count\.index)\b/.test(each));
    for (const reference of longest(references)) {
      const steps = stepsOf(reference);
      const [first, second] = steps;
      if (first === undefined || second === undefined) continue;
      if (first.name === 'var')
        for (const each of this.#ofVariable(second.name, scope, types, depth)) result.add(each);
      else if (first.name === 'each' && second.name === 'value')
        for (const each of this.#targets(
          [...scope.forEach, 'each.key'],
          { ...scope, forEach: [] },
          types,
          depth + 1,
        ))
          result.add(each);
      else if (first.name === 'module')
        for (const each of this.#ofOutput(steps, scope, usesKey, types, depth)) result.add(each);
      else if (types.has(first.name)) {
        const target: InstanceAddress = {
          modules: scope.modules,
          type: first.name,
          name: second.name,
        };
        const isRepeated = this.#repeated.has(withoutIndexes(printAddress(target)));
        const key = isRepeated ? (second.key ?? (usesKey ? scope.key : undefined)) : undefined;
        // without a key it may be any instance
        result.add(
          isRepeated && key === undefined
            ? `${printAddress(target)}[*]`
            : printAddress({ ...target, ...(key && { key }) }),
        );
      }
    }
    return result;
  }

  #ofVariable(
    name: string,
    { modules }: Scope,
    types: ReadonlySet<string>,
    depth: number,
  ): ReadonlySet<string> {
    const path = modules.map((each) => each.name).join('.');
    const references = this.#calls.get(path)?.get(name);
    if (references === undefined) return new Set();
    const scope = {
      modules: modules.slice(0, -1),
      key: modules.at(-1)?.key,
      forEach: this.#repeatedCalls.get(path) ?? [],
    };
    return this.#targets(references, scope, types, depth + 1);
  }

  #ofOutput(
    steps: readonly AddressStep[],
    scope: Scope,
    usesKey: boolean,
    types: ReadonlySet<string>,
    depth: number,
  ): ReadonlySet<string> {
    const { modules, rest } = splitModules(steps);
    const [block] = modules;
    const [name] = rest;
    if (block === undefined || name === undefined || modules.length !== 1) return new Set();
    const path = [...scope.modules, block].map((each) => each.name).join('.');
    const isRepeated = this.#repeatedCalls.has(path);
    const key = isRepeated ? (block.key ?? (usesKey ? scope.key : undefined)) : undefined;
    const references = this.#outputs.get(`${path}.${name.name}`);
    if (references === undefined || (isRepeated && key === undefined)) return new Set();
    const inside = {
      modules: [...scope.modules, { name: block.name, ...(key && { key }) }],
      key: name.key ?? scope.key,
      forEach: [],
    };
    // for an output that is a map, its key is the key of the resource
    const own = name.key !== undefined || usesKey ? [...references, 'each.key'] : references;
    return this.#targets(own, inside, types, depth + 1);
  }

  #takeResource(modules: readonly string[], each: Values): void {
    const {
      address: own,
      mode,
      expressions = {},
      count_expression: count,
      for_each_expression: forEach,
    } = each;
    if (typeof own !== 'string' || mode === 'data') return;
    const address =
      modules.length === 0 ? own : `${modules.map((name) => `module.${name}`).join('.')}.${own}`;
    if (count !== undefined || forEach !== undefined) this.#repeated.add(address);
    if (this.#hasResourcesFirst && !this.#asked.has(address)) return;
    const isWanted = this.wantsReferencesOf(own.split('.')[0] ?? '');
    const references = referencesByName(
      expressions as Values,
      isWanted ? undefined : joiningAttributes,
    );
    const emptyLists = Object.entries(expressions as Values).flatMap(([name, expression]) =>
      isEmptyList(expression) ? [name] : [],
    );
    this.#resources.set(address, {
      shape: this.#shapeOf(expressions),
      references,
      emptyLists,
      forEach: referencesIn(forEach),
    });
  }

  /** Caches the shapes of expressions; many resources have the same. */
  #shapeOf(expressions: unknown): Shape {
    const shape = shapeOf(expressions);
    const text = JSON.stringify(shape);
    const known = this.#shapes.get(text);
    if (known !== undefined) return known;
    this.#shapes.set(text, shape);
    return shape;
  }
}

/** Blocks in lists: if the configuration shows none, a dynamic block set them. */
const blocks: ReadonlySet<unknown> = new Set([
  'container',
  'env',
  'init_container',
  'ip_security_restriction',
  'registry',
  'required_resource_access',
  'secret',
  'traffic_weight',
]);

/** The address in the configuration, without instance keys. */
function withoutIndexes(address: string): string {
  if (!address.includes('[')) return address;
  const { modules, rest } = splitModules(stepsOf(address));
  return [...modules.map(({ name }) => `module.${name}`), ...rest.map(({ name }) => name)].join(
    '.',
  );
}

function shapeOf(expressions: unknown): Shape {
  if (Array.isArray(expressions)) return expressions.map(shapeOf);
  const { constant_value: constant, references } = expressions as Values;
  if (constant !== undefined) return constant === null ? '' : true;
  if (Array.isArray(references))
    return references.every(isInput) ? longest(references).join(' ') : true;
  const inside = Object.entries(expressions as Values).map(
    ([key, each]) => [key, isMapOrList(each) ? shapeOf(each) : true] as const,
  );
  return Object.fromEntries(inside);
}

function isMapOrList(value: unknown): boolean {
  return value !== null && typeof value === 'object' && Object.keys(value).length > 0;
}

/** Whether Terraform knows a reference's value when it plans, as far as its own module shows. */
function isInput(reference: unknown): boolean {
  return /^(var|each|count|path|terraform)\./.test(String(reference));
}

function isEmptyList(expression: unknown): boolean {
  const { constant_value: value } = (expression ?? {}) as { readonly constant_value?: unknown };
  return Array.isArray(value) && value.length === 0;
}

/** The references of an expression; for blocks, those of the expressions in them. */
function referencesIn(expression: unknown): readonly string[] {
  if (Array.isArray(expression)) return [...new Set(expression.flatMap(referencesIn))];
  if (!isObject(expression)) return [];
  const { references } = expression;
  if (Array.isArray(references)) return references.filter((each) => typeof each === 'string');
  if ('constant_value' in expression) return [];
  return [...new Set(Object.values(expression).flatMap(referencesIn))];
}

function referencesByName(
  expressions: Values,
  names: readonly string[] = Object.keys(expressions),
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    names.flatMap((name) => {
      const references = referencesIn(expressions[name]);
      return references.length === 0 ? [] : [[name, references] as const];
    }),
  );
}

/** Removes references that are prefixes of others: Terraform lists both `a.b.id` and `a.b`. */
function longest(references: readonly string[]): readonly string[] {
  return references.filter(
    (each) =>
      !references.some(
        (other) => other !== each && (other.startsWith(`${each}.`) || other.startsWith(`${each}[`)),
      ),
  );
}
