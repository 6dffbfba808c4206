import { CastellanError } from '../../core/errors/castellan-error.js';
import type { Finding, SourceLocation } from '../../core/findings/finding.js';
import type { Section as SectionName } from '../../kinds/index.js';
import {
  Construct,
  type ITerraformDependable,
  TerraformElement,
  type TerraformProvider,
  TerraformStack,
} from './cdktf.js';
import { checkConstruct, throwIfInvalid } from './check-construct.js';
import { isValidationSkipped } from './cloud-settings.js';
import { callerLocation } from './caller-location.js';
import {
  applyMetaArguments,
  formerPaths,
  mainResourceId,
  type MetaArguments,
  providerFor,
  splitMetaArguments,
} from './meta-arguments.js';
import { MovedBlocks, logicalIdAtPath } from './moved-blocks.js';
import { type ProviderName, requireProviders, type RequiredProviders } from './providers.js';
import { recordCreatedAttributes } from './created-attributes.js';
import { Secret } from './secret.js';
import { SectionScope } from './section-scope.js';

/** A declaration in the form of castellan.yaml: references are names. */
export interface Declaration {
  /** The section of castellan.yaml that would declare it: `groups`, `containerApps`, … */
  readonly section: SectionName;
  /** The name for references from other declarations. */
  readonly name: string;
  /** Its properties; a reference is the name of its target. */
  readonly value: Readonly<Record<string, unknown>>;
}

/**
 * The base class of everything that castellan.yaml can declare: it records what was declared, and
 * where.
 *
 * @example
 * const declared = stack.node.findAll().filter((node) => node instanceof CastellanConstruct);
 */
export abstract class CastellanConstruct extends Construct implements ITerraformDependable {
  /** The line that created this construct: of the user's program, or of castellan.yaml. */
  readonly creationLocation: SourceLocation | undefined;
  /**
   * The line that created the outermost construct of a library around this one, if any: findings
   * name both.
   */
  readonly usedAt: SourceLocation | undefined;
  readonly #section: SectionName;
  readonly #meta: MetaArguments;
  #declared: Readonly<Record<string, unknown>>;
  #declaration: Declaration | undefined;
  #findings: readonly Finding[] = [];

  /**
   * @throws CAS2001 with the findings when a value has the wrong type, or, where the app has the
   *   context `castellan:errors: 'at once'`, when the declaration violates a limit. Otherwise
   *   limits are reported at synth.
   */
  protected constructor(scope: Construct, id: string, section: SectionName, props: object) {
    super(scope, id);
    this.creationLocation =
      currentDeclaration === undefined
        ? callerLocation(new.target as unknown as (...args: never[]) => unknown)
        : currentDeclaration.location;
    this.usedAt = currentDeclaration === undefined ? usageLocation(scope) : undefined;
    this.#section = section;
    [this.#meta, this.#declared] = splitMetaArguments(props);
    if (this.formerPaths.length > 0) MovedBlocks.of(this).add(this, this.formerPaths);
    this.#check();
  }

  /** The declaration in the form of castellan.yaml. */
  get declaration(): Declaration {
    this.#declaration ??= {
      section: this.#section,
      name: this.declaredName,
      value: declarationValue(this.#declared, TerraformStack.of(this)) as Declaration['value'],
    };
    return this.#declaration;
  }

  /** The declaration as a stack sees it: names of other stacks' constructs begin with the stack. */
  declarationSeenFrom(stack: TerraformStack): Declaration {
    return TerraformStack.of(this) === stack
      ? this.declaration
      : {
          section: this.#section,
          name: this.nameSeenFrom(stack),
          value: declarationValue(this.#declared, stack) as Declaration['value'],
        };
  }

  /** The name for references from a stack. */
  nameSeenFrom(stack: TerraformStack): string {
    const ownStack = TerraformStack.of(this);
    return ownStack === stack ? this.declaredName : `${ownStack.node.path}:${this.declaredName}`;
  }

  /**
   * The findings about this declaration alone: errors, which prevent the synthesis, warnings, and
   * unknowns, which cannot be decided before apply.
   */
  get findings(): readonly Finding[] {
    return this.#findings;
  }

  /** The earlier paths of this construct below its stack (`movedFrom`), the oldest first. */
  get formerPaths(): readonly string[] {
    return formerPaths(this.#meta);
  }

  /** The address of the main resource in Terraform, for `dependsOn` of other resources. */
  get fqn(): string {
    const main = this.node.tryFindChild(mainResourceId);
    if (TerraformElement.isTerraformElement(main)) return main.fqn;
    throw new CastellanError(
      'CAS2003',
      `${this.node.path} has no resource of this stack on which another could depend`,
    );
  }

  /** The provider that was given for the construct's resources of one provider, if any. */
  protected givenProvider(name: ProviderName): TerraformProvider | undefined {
    return providerFor(name, this.#meta.provider);
  }

  /** Requires providers for the resources of the construct, unless the construct was given them. */
  protected requireProvider(...names: readonly ProviderName[]): void {
    const providers = names.map((name) => [name, this.givenProvider(name)] as const);
    requireProviders(this, Object.fromEntries(providers) as RequiredProviders);
  }

  /** Changes the declaration, and checks it again. */
  protected declare(changes: Readonly<Record<string, unknown>>): void {
    this.#declared = { ...this.#declared, ...changes };
    this.#declaration = undefined;
    this.#check();
  }

  #check(): void {
    if (isValidationSkipped(this)) return;
    const { creationLocation: location, terraformName, usedAt } = this;
    const place = { location, usedAt, constructPath: this.node.path };
    this.#findings = checkConstruct({ ...this.declaration, ...place, terraformName });
    // resources can't be created from a value of the wrong type
    const hasWrongType = ({ ruleId, verdict }: Finding): boolean =>
      verdict === 'fail' && ruleId === 'property-type';
    const throwsAtOnce = this.node.tryGetContext(errorsContext) === 'at once';
    if (throwsAtOnce || this.#findings.some(hasWrongType)) throwIfInvalid(this.#findings, place);
  }

  /**
   * The name for references from other declarations: the id, prefixed with the scopes below the
   * stack.
   */
  private get declaredName(): string {
    const scopes = this.node.scopes.filter((scope) => !(scope instanceof SectionScope));
    return scopes
      .slice(scopes.indexOf(TerraformStack.of(this)) + 1)
      .map(({ node }) => node.id)
      .join('/');
  }

  /**
   * The name of this construct's resources in Terraform, if it differs from the name for
   * references.
   */
  get terraformName(): string | undefined {
    return this.logicalId === this.declaredName ? undefined : this.logicalId;
  }

  /**
   * The name of this construct's resources in Terraform: `shoppers` in `azuread_group.shoppers`.
   */
  protected get logicalId(): string {
    return this.node.scope instanceof SectionScope
      ? this.node.id
      : TerraformStack.of(this).getLogicalId(this.node as never);
  }

  /**
   * Gives a resource the logical id of this construct, which only one resource per type can have,
   * and its meta-arguments.
   */
  protected withLogicalIdOfConstruct<Element extends TerraformElement>(element: Element): Element {
    element.overrideLogicalId(this.logicalId);
    // cdktf would ignore a later override: the constructor has made references with this name
    element.overrideLogicalId = (name) => {
      throw new CastellanError(
        'CAS2012',
        `${this.node.path}: the Terraform name ${this.logicalId} cannot be overridden, because references use it; to name the resource ${name}, give the construct this id`,
      );
    };
    return this.withMetaArguments(element);
  }

  /**
   * Gives a resource of which the construct may have several a logical id from its path, and its
   * meta-arguments. Sections of castellan.yaml are left out of the path, as programs have none.
   */
  protected withLogicalIdOfPath<Element extends TerraformElement>(element: Element): Element {
    const { scope, id } = this.node;
    if (scope instanceof SectionScope)
      element.overrideLogicalId(logicalIdAtPath(TerraformStack.of(this), [id, element.node.id]));
    return this.withMetaArguments(element);
  }

  /** Gives a resource the meta-arguments of this construct. */
  protected withMetaArguments<Element extends TerraformElement>(element: Element): Element {
    applyMetaArguments(element, this.#meta);
    this.snapshotAttributes(element);
    return element;
  }

  /**
   * Records the attributes of a resource after the construct itself has changed them, so that later
   * changes by the program can be told apart, and checked.
   */
  protected snapshotAttributes(element: TerraformElement): void {
    if (!isValidationSkipped(this)) recordCreatedAttributes(element);
  }
}

/** The key of the app's context that says when errors are reported: at synth, or `at once`. */
const errorsContext = 'castellan:errors';

/** The line of the program that creates the outermost construct below the stack. */
function usageLocation(scope: Construct): SourceLocation | undefined {
  const { scopes } = scope.node;
  const outermost = scopes[scopes.indexOf(TerraformStack.of(scope)) + 1];
  return outermost === undefined || outermost instanceof SectionScope
    ? undefined
    : callerLocation(outermost.constructor as (...args: never[]) => unknown);
}

/** Set while the constructs for a line of castellan.yaml are created. */
let currentDeclaration: { readonly location: SourceLocation | undefined } | undefined;

/**
 * Creates constructs on behalf of a line of castellan.yaml, if known: findings then point there,
 * not to this package.
 *
 * @example
 * withLocation({ file: 'groups.yaml', line: 3, column: 1 }, () => new SecurityGroup(stack, 'shoppers', { displayName: 'Shoppers' }));
 */
export function withLocation<Result>(
  location: SourceLocation | undefined,
  create: () => Result,
): Result {
  const previousDeclaration = currentDeclaration;
  currentDeclaration = { location };
  try {
    return create();
  } finally {
    currentDeclaration = previousDeclaration;
  }
}

/**
 * Converts props to the form of castellan.yaml: a reference to a construct becomes its name, one to
 * another object of the directory its object id.
 */
function declarationValue(value: unknown, stack: TerraformStack): unknown {
  if (value instanceof CastellanConstruct) return value.nameSeenFrom(stack);
  if (value instanceof Secret) return value.reference;
  if (Array.isArray(value)) return value.map((each: unknown) => declarationValue(each, stack));
  if (value === null || typeof value !== 'object') return value;
  const { objectId } = value as { readonly objectId?: unknown };
  if (typeof objectId === 'string') return objectId;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .map(([key, each]) => [key, declarationValue(each, stack)]),
  );
}
