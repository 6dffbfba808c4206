import { join } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import {
  type Construct,
  type IConstruct,
  type ISynthesisSession,
  TerraformElement,
  TerraformOutput,
  TerraformResource,
  TerraformStack,
} from '../cdktf.js';
import {
  deepMerge,
  formatTracesLazily,
  isFastSynthesisOff,
  resolve,
  resourceFields,
  stackFields,
  StackSynthesizer,
  validationsOf,
  versionRequirement,
} from '../cdktf-internals.js';
import { dataResolver, type JsonObject, isPlainData } from './resolve-data.js';
import { writeJson } from './write-json.js';
import { isObject } from '../../../core/values/is-object.js';

/**
 * A cdktf stack with faster synthesis and the same output, byte for byte.
 *
 * Plain data is copied once where cdktf resolves it three times; what may be a token goes to
 * cdktf's own resolver. Overrides of the stack, values that are neither data nor tokens, and
 * anything that fails are synthesized by cdktf itself. `CASTELLAN_SYNTH=plain` leaves everything to
 * cdktf.
 *
 * @example
 * class Directory extends FastStack {} // instead of TerraformStack
 */
export class FastStack extends TerraformStack {
  /** The stacks on which this one depends, each with the element that refers to it. */
  readonly #referringElements = new Map<TerraformStack, TerraformElement>();
  /** The element whose references are looked for. */
  #preparedElement: TerraformElement | undefined;
  /** Why one of its references is refused. */
  #cycleMessage: string | undefined;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    if (isFastSynthesisOff) return;
    formatTracesLazily();
    const { CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS: continueOnErrors, SYNTH_HCL_OUTPUT: hcl } =
      process.env;
    this.synthesizer = new FastSynthesizer(
      this,
      continueOnErrors !== undefined,
      hcl === 'true' || hcl === '1',
    );
  }

  /**
   * Finds references to other stacks: only values that may contain tokens are resolved for that.
   */
  override prepareStack(): void {
    if (isFastSynthesisOff) {
      super.prepareStack();
      return;
    }
    this.ensureBackendExists();
    for (const element of elementsOf(this)) {
      if (holdsDataOnly(element)) continue;
      this.#preparedElement = element;
      this.#cycleMessage = undefined;
      try {
        const terraform: unknown = element.toTerraform();
        if (!isPlainData(terraform)) resolve(this, terraform, true);
      } catch (error) {
        // cdktf adds stack traces to the message of what is thrown while it resolves
        throw this.#cycleMessage === undefined
          ? error
          : new CastellanError('CAS2008', this.#cycleMessage);
      } finally {
        this.#preparedElement = undefined;
      }
    }
  }

  /**
   * Lets the stack be applied after another one.
   *
   * @throws CAS2008 when the other one depends on this one.
   */
  override addDependency(dependency: TerraformStack): void {
    if (dependency.dependsOn(this)) {
      this.#cycleMessage = this.#describeCycle(dependency);
      throw new CastellanError('CAS2008', this.#cycleMessage);
    }
    super.addDependency(dependency);
    if (this.#preparedElement !== undefined && !this.#referringElements.has(dependency))
      this.#referringElements.set(dependency, this.#preparedElement);
  }

  #describeCycle(dependency: TerraformStack): string {
    const referenceOf = (element: TerraformElement | undefined, to: TerraformStack): string =>
      element === undefined ? '' : `: ${element.node.path} refers to ${to.node.path}`;
    const ownReference = referenceOf(this.#preparedElement, dependency);
    const otherReference = referenceOf(
      dependency instanceof FastStack ? dependency.#referringElements.get(this) : undefined,
      this,
    );
    return `the stack ${this.node.path} can't depend on ${dependency.node.path}${ownReference}; ${dependency.node.path} depends on ${this.node.path} already${otherReference}. Create what refers, or what it refers to, in the other stack`;
  }

  /** The Terraform JSON of the stack. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the type that cdktf declares
  override toTerraform(): any {
    return isFastSynthesisOff ? (super.toTerraform() as unknown) : resolveStack(this).json;
  }

  /**
   * Runs every validation; several that require a version of the same program run it once.
   *
   * @throws what cdktf throws about the mistakes.
   */
  override runAllValidations(): void {
    if (isFastSynthesisOff || !this.node.findAll().every(isValid)) super.runAllValidations();
  }

  /**
   * Whether the stack depends on another one, directly or transitively. Each stack is visited once.
   */
  override dependsOn(stack: TerraformStack): boolean {
    const dependencies = new Set(this.dependencies);
    for (const each of dependencies)
      for (const transitive of each.dependencies) dependencies.add(transitive);
    return dependencies.has(stack);
  }
}

/** Writes the JSON in pieces: as one text it needs a tenth more memory. */
class FastSynthesizer extends StackSynthesizer {
  override synthesize(session: ISynthesisSession): void {
    const { stack } = this;
    if (isFastSynthesisOff || stack.toTerraform !== FastStack.prototype.toTerraform) {
      super.synthesize(session);
      return;
    }
    let terraform: JsonObject | undefined;
    stack.toTerraform = (): unknown => {
      const { json, isPlainData } = resolveStack(stack);
      if (isPlainData) terraform = json;
      return isPlainData ? {} : json;
    };
    try {
      super.synthesize(session);
    } finally {
      delete (stack as Partial<TerraformStack>).toTerraform;
    }
    if (terraform !== undefined)
      writeJson(
        join(session.outdir, session.manifest.forStack(stack).synthesizedStackPath),
        terraform,
      );
  }
}

interface ResolvedStack {
  readonly json: JsonObject;
  /** Whether it contains only plain data; cdktf writes instances of classes. */
  readonly isPlainData: boolean;
}

/**
 * The result of cdktf's `toTerraform()`. Called once for each element, because cdktf changes some
 * values at each call.
 */
function resolveStack(stack: TerraformStack): ResolvedStack {
  const { overrides: stackOverrides, version } = stackFields(stack);
  const overrides = Object.keys(stackOverrides);
  const elements = elementsOf(stack);
  const metadata = metadataOf(stack, elements, {
    version,
    ...(overrides.length !== 0 && { overrides: { stack: overrides } }),
  });
  const outputs = outputsOf(elements);
  let canMerge = overrides.length === 0;
  const copyData = dataResolver(stack);
  const fragments = elements.map((element) => {
    const terraform = element.toTerraform() as JsonObject;
    try {
      return copyData(terraform, 0) as JsonObject;
    } catch {
      canMerge = false; // not supported here, or an error, which cdktf itself reports
      return resolve(stack, terraform);
    }
  });
  if (canMerge) {
    const json: JsonObject = { '//': resolve(stack, { metadata, outputs }) };
    for (const fragment of fragments) mergeFragment(json, fragment, 0);
    return { json, isPlainData: true };
  }
  const json: JsonObject = { '//': { metadata, outputs } };
  for (const fragment of fragments) deepMerge(json, fragment);
  deepMerge(json, stackOverrides);
  return { json: resolve(stack, json), isPlainData: false };
}

function metadataOf(
  stack: TerraformStack,
  elements: readonly TerraformElement[],
  initial: JsonObject,
): JsonObject {
  const metadata: JsonObject = {
    stackName: stack.node.id,
    backend: 'local',
    cloud: undefined,
    ...initial,
  };
  for (const element of elements) {
    const added = element.toMetadata() as JsonObject;
    if (Object.values(added).some((value) => value !== undefined))
      deepMerge(metadata, resolve(stack, added));
  }
  return metadata;
}

/** The Terraform names of the outputs, nested as the outputs are in the construct tree. */
function outputsOf(elements: readonly TerraformElement[]): JsonObject {
  const outputs: JsonObject = {};
  for (const element of elements) {
    if (!TerraformOutput.isTerraformOutput(element)) continue;
    const path = element.node.path.split('/');
    const nested = path.reduceRight<JsonObject>(
      (inner, part) => ({
        [part]: Object.keys(inner).length === 0 ? element.friendlyUniqueId : inner,
      }),
      {},
    );
    deepMerge(outputs, nested);
  }
  return outputs;
}

/**
 * Whether the output of a resource is plain data, judged by its inputs, so that the output
 * needn't be created. False if not certain.
 */
function holdsDataOnly(element: TerraformElement): boolean {
  if (
    !(element instanceof TerraformResource) ||
    element.toTerraform !== TerraformResource.prototype.toTerraform
  )
    return false;
  if (element.provisioners !== undefined || element.hasResourceMove()) return false;
  const { isImported, hasOverrides, metaArguments, attributes } = resourceFields(element);
  return !isImported && !hasOverrides && isPlainData(metaArguments) && isPlainData(attributes());
}

/** The elements of a stack without those of stacks in it. */
function elementsOf(scope: IConstruct, into: TerraformElement[] = []): TerraformElement[] {
  if (TerraformElement.isTerraformElement(scope)) into.push(scope);
  for (const child of scope.node.children)
    if (!TerraformStack.isStack(child)) elementsOf(child, into);
  return into;
}

/** The depth of resource names in the output: `resource`, type, name. */
const nameDepth = 2;

/**
 * Merges the output of one element into that of the others, down to the name of a resource
 * (`resource`, type, name); cdktf merges two entries of the same name.
 */
function mergeFragment(target: JsonObject, source: JsonObject, depth: number): void {
  for (const [key, value] of Object.entries(source)) {
    const existing = target[key];
    if (existing === undefined) target[key] = value;
    else if (Array.isArray(existing) && Array.isArray(value))
      target[key] = [...(existing as unknown[]), ...(value as unknown[])];
    else if (depth < nameDepth && isObject(existing) && isObject(value))
      mergeFragment(existing, value, depth + 1);
    else deepMerge(target, { [key]: value });
  }
}

/** Requirements of a program's version that were met before, each with the `PATH` of that run. */
const metRequirements = new Set<string>();

/** Whether the validations of a construct find no mistake. */
function isValid(construct: IConstruct): boolean {
  const validations = validationsOf(construct);
  if (validations === undefined) return construct.node.validate().length === 0;
  return validations.every((validation) => {
    const requirement = versionRequirement(validation);
    const key = `${requirement ?? ''} ${process.env['PATH'] ?? ''}`;
    if (requirement !== undefined && metRequirements.has(key)) return true;
    if (validation.validate().length > 0) return false;
    if (requirement !== undefined) metRequirements.add(key);
    return true;
  });
}
