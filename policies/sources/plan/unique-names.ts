import type { Finding } from '../../../core/findings/finding.js';
import { type Locate, makeUnknownFinding } from '../../engine/finding-maker.js';
import type { Rule } from '../../engine/rule.js';
import { type DeclarationRunner, declarationRunner } from '../../engine/run-rules.js';
import { type Declaration, StackIndex, startsWith } from '../../engine/stack-index.js';
import { valueAt } from '../../engine/schema-validation.js';
import type { Section } from '../../../kinds/stack/schema.js';
import type { PlanConfiguration } from './plan-configuration.js';
import type { DeclaredPart } from './declarations.js';
import { primaryTypes } from './declaring-types.js';

/**
 * The rules about unique names, which compare each name with those before and read nothing else.
 */
const uniqueNameRules = new Set([
  'app-name-unique',
  'group-mail-nickname-unique',
  'item-name-unique',
  'workspace-name-unique',
]);

/** The rule about domains, which resources beside the app can have. */
const uniqueDomainRule = 'app-domain-unique';

/** The property with the name of a declaration, by section. */
const nameProperties: { readonly [Name in Section]?: string } = {
  containerApps: 'name',
  environments: 'name',
  groups: 'mailNickname',
  eventhouses: 'displayName',
  eventstreams: 'displayName',
  workspaces: 'displayName',
};

/** The sections whose names are unique in a resource group. */
const sectionsInResourceGroups: ReadonlySet<Section> = new Set(['containerApps', 'environments']);

const resourceGroups = new Set(['azurerm_resource_group']);

function isListOrNone(value: unknown): boolean {
  return value === undefined || Array.isArray(value);
}

/** Checks that the names of a plan's resources are unique. */
export class UniqueNames {
  readonly #rules: readonly Rule[];
  readonly #run: DeclarationRunner;
  readonly #compareDomains: DeclarationRunner;
  readonly #domains: StackIndex;
  readonly #indexes = new Map<string, StackIndex>();
  /** Declarations in a workspace or a resource group that only the configuration names. */
  readonly #withUndeterminedParent: DeclaredPart[] = [];

  constructor(
    rules: readonly Rule[],
    private readonly locate: Locate,
    now: Date,
  ) {
    this.#rules = rules.filter(({ id }) => uniqueNameRules.has(id));
    this.#run = declarationRunner(this.#rules, { scope: 'stack', now });
    this.#compareDomains = declarationRunner(
      rules.filter(({ id }) => id === uniqueDomainRule),
      { scope: 'stack', now },
    );
    this.#domains = new StackIndex({}, [], () => [], locate);
  }

  /** The findings about the next declaration; empty if its parent is known only after apply. */
  add(declaration: DeclaredPart): readonly Finding[] {
    const property = nameProperties[declaration.section];
    if (
      this.#rules.length === 0 ||
      property === undefined ||
      declaration.isAdditional === true ||
      typeof valueAt(declaration.value, [property]) !== 'string'
    )
      return [];
    // another rule reports wrong types
    if (!isListOrNone(valueAt(declaration.value, ['groupTypes']))) return [];
    const { section, unknownPaths, resourceGroup } = declaration;
    const isInGroup = sectionsInResourceGroups.has(section);
    if (
      isInGroup
        ? resourceGroup !== undefined
        : !unknownPaths.some(([first]) => first === 'workspace')
    )
      return this.#checkName(declaration, isInGroup ? `group ${resourceGroup ?? ''}` : '');
    this.#withUndeterminedParent.push(declaration);
    return [];
  }

  /** The findings about the domains of the next app, which no other may have. */
  addDomains(app: Declaration): readonly Finding[] {
    const hasDomains = app.section === 'containerApps' && 'customDomains' in app.value;
    return hasDomains ? this.#compareDomains({ ...app, unknownPaths: [] }, this.#domains) : [];
  }

  /**
   * The findings about resources whose parent is known only after apply; the same reference means
   * the same parent.
   */
  finish(configuration: PlanConfiguration | undefined): readonly Finding[] {
    return this.#withUndeterminedParent.flatMap((declaration) =>
      this.#finish(declaration, configuration),
    );
  }

  #finish(
    declaration: Declaration,
    configuration: PlanConfiguration | undefined,
  ): readonly Finding[] {
    const address = declaration.origin.terraformAddress ?? '';
    if (sectionsInResourceGroups.has(declaration.section)) {
      // a name in an unknown group has no duplicate yet
      const group = configuration?.targetOf(address, 'resource_group_name', resourceGroups);
      return this.#checkName(declaration, `address ${group ?? address}`);
    }
    const workspace = configuration?.targetOf(address, 'workspace_id', primaryTypes('workspaces'));
    if (workspace === undefined) return this.#checkName(declaration, '');
    const unknownPaths = declaration.unknownPaths.filter(([first]) => first !== 'workspace');
    return this.#checkName(
      {
        ...declaration,
        value: { ...declaration.value, workspace },
        unknownPaths,
      } as unknown as Declaration,
      '',
    );
  }

  /** @param place where the name must be unique, such as its resource group. */
  #checkName(declaration: Declaration, place: string): readonly Finding[] {
    const index = this.#indexes.get(place) ?? new StackIndex({}, [], () => [], this.locate);
    this.#indexes.set(place, index);
    const { unknownPaths, section, name, origin, value } = declaration;
    if (unknownPaths.length === 0) return this.#run(declaration, index);
    return this.#run({ ...declaration, unknownPaths: [] }, index).map((finding) => {
      const rule = this.#rules.find(({ id }) => id === finding.ruleId);
      const unknownPath = unknownPaths.find((path) =>
        rule?.reads?.some((property) => startsWith(path, [property])),
      );
      if (rule === undefined || unknownPath === undefined) return finding;
      return makeUnknownFinding(
        rule,
        { path: unknownPath, value: valueAt(value, unknownPath) },
        { path: [section, name], origin },
        this.locate,
      );
    });
  }
}
