import type { ConfigPath } from '../../../core/yaml/layers.js';
import type { AttributeSource } from '../../engine/terraform-resource.js';
import type { JsonDocument, JsonObject } from '../json-document.js';
import { parseAddress, splitModules, stepsOf } from './address.js';
import {
  type Expressions,
  isEmptyList,
  isInput,
  mostSpecificReferences,
  referencesByName,
  referencesIn,
  type Setting,
  settingAt,
} from './expressions.js';
import {
  type ConfiguredModules,
  maxReferenceDepth,
  referenceTargets,
} from './reference-targets.js';

/** The configuration of a resource, for all its instances. */
interface ConfiguredResource {
  readonly expressions: Expressions;
  /** The references in `for_each`, from which `each.value` comes. */
  readonly forEachReferences: readonly string[];
}

/** The context of an expression: the path of its module, and the references in its `for_each`. */
interface InputScope {
  readonly modules: readonly string[];
  readonly forEachReferences: readonly string[];
}

/**
 * The configuration of a plan, for questions that the plan's values leave open: which attributes
 * are set at all, and the references of those that are known only after apply.
 */
export class PlanConfiguration {
  readonly #resources = new Map<string, ConfiguredResource>();
  readonly #modules = {
    repeatedResources: new Set<string>(),
    arguments: new Map<string, ReadonlyMap<string, readonly string[]>>(),
    repetitions: new Map<string, readonly string[]>(),
    outputs: new Map<string, readonly string[]>(),
  } satisfies ConfiguredModules;
  /** Whether Terraform knew the variables when it wrote the configuration. */
  #isPlanned = true;

  /** Reads the configuration in a plan. */
  static readFrom(plan: JsonDocument): PlanConfiguration {
    const configuration = new PlanConfiguration();
    const { root } = plan;
    const module = plan.objectAt(plan.objectAt(root, 'configuration'), 'root_module');
    configuration.#addModule(plan, module, []);
    return configuration;
  }

  /**
   * Adds the configuration of a resource outside a plan, such as one in a construct tree, in the
   * form of a plan's expressions.
   */
  declare(address: string, expressions: Expressions): void {
    this.#isPlanned = false;
    this.#resources.set(address, { expressions, forEachReferences: [] });
  }

  /**
   * Whether the configuration sets an attribute of a resource; undefined if it does not have the
   * resource.
   */
  isSet(address: string, path: ConfigPath): boolean | undefined {
    const setting = this.#settingAt(address, path);
    return setting === undefined ? undefined : setting !== 'absent';
  }

  /**
   * Whether the provider chooses a value that is known only after apply: the configuration does not
   * set it, or only from variables, which Terraform knows when it plans, so that they must be null.
   */
  isLeftToProvider(address: string, path: ConfigPath): boolean {
    const setting = this.#settingAt(address, path);
    if (typeof setting !== 'object' || !this.#isPlanned) return setting === 'absent';
    const modules = parseAddress(address)?.modules.map(({ name }) => name) ?? [];
    const forEachReferences = this.#resourceAt(address)?.forEachReferences ?? [];
    return this.#comesFromInputs(setting.inputs, { modules, forEachReferences }, 0);
  }

  /**
   * Whether the configuration sets an attribute to an empty list, which providers may show as known
   * only after apply.
   */
  isSetToEmptyList(address: string, attribute: string): boolean {
    return isEmptyList(this.#resourceAt(address)?.expressions[attribute]);
  }

  /**
   * Where each value of a resource comes from, by its path; undefined if the configuration does not
   * have the resource.
   *
   * @param unknownMarks the unknown values, as plans mark them.
   */
  sourcesOf(
    address: string,
    values: unknown,
    unknownMarks: unknown,
  ): Readonly<Record<string, AttributeSource>> | undefined {
    const resource = this.#resourceAt(address);
    if (resource === undefined) return undefined;
    const sources: Record<string, AttributeSource> = {};
    const visit = (value: unknown, unknownMark: unknown, path: ConfigPath): void => {
      const keys = new Set([...keysOf(value), ...keysOf(unknownMark)]);
      if (keys.size > 0 || path.length === 0)
        for (const key of keys)
          visit(
            (value as Readonly<Record<string, unknown>> | undefined)?.[key],
            unknownMark === true
              ? true
              : (unknownMark as Readonly<Record<string, unknown>> | undefined)?.[key],
            [...path, Array.isArray(value ?? unknownMark) ? Number(key) : key],
          );
      else
        sources[path.join('.')] = sourceOf(
          settingAt(resource.expressions, path),
          value,
          unknownMark,
        );
    };
    visit(values, unknownMarks, []);
    return sources;
  }

  /** The references of each attribute of a resource, as written. */
  allReferencesOf(address: string): Readonly<Record<string, readonly string[]>> {
    const references = referencesByName(this.#resourceAt(address)?.expressions ?? {});
    return Object.fromEntries(
      [...references].map(([name, each]) => [name, mostSpecificReferences(each)]),
    );
  }

  /** The references of an attribute of a resource, as written. */
  referencesOf(address: string, attribute: string): readonly string[] {
    return mostSpecificReferences(referencesIn(this.#resourceAt(address)?.expressions[attribute]));
  }

  /**
   * The address of the one resource instance that an attribute refers to, through variables and
   * outputs of modules; undefined if there is none, there are several, or the plan does not contain
   * them, such as local values.
   *
   * @param types the possible resource types.
   */
  targetOf(address: string, attribute: string, types: ReadonlySet<string>): string | undefined {
    const expression = this.#resourceAt(address)?.expressions[attribute];
    const targets = this.#targets(address, referencesIn(expression), types);
    const [only] = targets;
    return targets.size === 1 ? only : undefined;
  }

  /**
   * The addresses that each attribute and block of a resource refers to, through variables and
   * outputs of modules; `address[*]` means any instance.
   *
   * @param types the possible resource types.
   */
  targetsOf(address: string, types: ReadonlySet<string>): ReadonlyMap<string, ReadonlySet<string>> {
    const references = referencesByName(this.#resourceAt(address)?.expressions ?? {});
    return new Map(
      [...references].map(([name, each]) => [name, this.#targets(address, each, types)]),
    );
  }

  #resourceAt(address: string): ConfiguredResource | undefined {
    return this.#resources.get(withoutKeys(address));
  }

  /** Undefined if the configuration does not have the resource. */
  #settingAt(address: string, path: ConfigPath): Setting | undefined {
    const resource = this.#resourceAt(address);
    return resource === undefined ? undefined : settingAt(resource.expressions, path);
  }

  #targets(
    address: string,
    references: readonly string[],
    types: ReadonlySet<string>,
  ): ReadonlySet<string> {
    const [parsedAddress, resource] = [parseAddress(address), this.#resourceAt(address)];
    if (parsedAddress === undefined || resource === undefined) return new Set();
    const scope = {
      modules: parsedAddress.modules,
      key: parsedAddress.key,
      forEachReferences: resource.forEachReferences,
    };
    return referenceTargets(references, scope, { types, configured: this.#modules });
  }

  /**
   * Whether references lead only to variables of the root module, keys and counts, through the
   * arguments of modules.
   */
  #comesFromInputs(references: readonly string[], scope: InputScope, depth: number): boolean {
    const path = scope.modules.join('.');
    return references.every((reference) => {
      if (!isInput(reference)) return reference === '';
      if (depth > maxReferenceDepth) return false;
      if (/^each\.value\b/.test(reference))
        return this.#comesFromInputs(
          scope.forEachReferences,
          { ...scope, forEachReferences: [] },
          depth + 1,
        );
      const variable = /^var\.([^.[]+)/.exec(reference)?.[1];
      if (variable === undefined || path === '') return true;
      const outerScope = {
        modules: scope.modules.slice(0, -1),
        forEachReferences: this.#modules.repetitions.get(path) ?? [],
      };
      const argumentReferences = this.#modules.arguments.get(path)?.get(variable) ?? [];
      return this.#comesFromInputs(argumentReferences, outerScope, depth + 1);
    });
  }

  #addModule(plan: JsonDocument, module: JsonObject, path: readonly string[]): void {
    for (const resource of plan.listAt(module, 'resources'))
      this.#addResource(resource, plan.objectAt(resource, 'expressions'), path);
    for (const [name, output] of plan.entriesAt(module, 'outputs'))
      this.#modules.outputs.set([...path, name].join('.'), referencesIn(output['expression']));
    for (const [name, call] of plan.entriesAt(module, 'module_calls')) {
      const inner = [...path, name];
      const key = inner.join('.');
      this.#modules.arguments.set(key, referencesByName(plan.objectAt(call, 'expressions')));
      const repetition = call['for_each_expression'] ?? call['count_expression'];
      if (repetition !== undefined) this.#modules.repetitions.set(key, referencesIn(repetition));
      this.#addModule(plan, plan.objectAt(call, 'module'), inner);
    }
  }

  #addResource(resource: JsonObject, expressions: Expressions, path: readonly string[]): void {
    const {
      address: localAddress,
      mode,
      count_expression: count,
      for_each_expression: forEach,
    } = resource;
    if (typeof localAddress !== 'string' || mode === 'data') return;
    const address = [...path.map((name) => `module.${name}`), localAddress].join('.');
    if (count !== undefined || forEach !== undefined) this.#modules.repeatedResources.add(address);
    this.#resources.set(address, { expressions, forEachReferences: referencesIn(forEach) });
  }
}

function keysOf(value: unknown): readonly string[] {
  return value !== null && typeof value === 'object' ? Object.keys(value) : [];
}

function sourceOf(setting: Setting, value: unknown, unknownMark: unknown): AttributeSource {
  if (setting === 'set') return 'written';
  if (setting !== 'absent' && value !== undefined && value !== null) return 'written';
  return unknownMark === true ? 'unknown' : 'default';
}

/** The address in the configuration, without the keys of instances. */
function withoutKeys(address: string): string {
  if (!address.includes('[')) return address;
  const { modules, rest } = splitModules(stepsOf(address));
  return [...modules.map(({ name }) => `module.${name}`), ...rest.map(({ name }) => name)].join(
    '.',
  );
}
