import type { Finding } from '../../../core/findings/finding.js';
import { type Locate, makeUnknown } from '../../engine/finding-maker.js';
import type { Rule } from '../../engine/rule.js';
import { type DeclarationRunner, declarationRunner } from '../../engine/run-rules.js';
import { type Declaration, StackIndex, startsWith } from '../../engine/stack-index.js';
import { valueAt } from '../../engine/validate.js';
import type { Section } from '../../../kinds/stack/schema.js';
import type { PlanConfiguration } from './configuration.js';
import type { PlannedResource } from '../../engine/planned-resource.js';
import { declarationOf, type DeclaredPart, wholeTypes } from './declarations.js';
import { KeptResources } from './resource-piece.js';

/** The rules about names that nothing else may have: they remember the names that they have seen, and look at nothing else. */
const aboutNames = new Set(['app-name-unique', 'group-mail-nickname-unique', 'item-name-unique', 'workspace-name-unique']);

/** What a declaration is called, by its section; what has no name has no duplicate. */
const nameOf: { readonly [Name in Section]?: string } = {
  containerApps: 'name',
  groups: 'mailNickname',
  eventhouses: 'displayName',
  eventstreams: 'displayName',
  workspaces: 'displayName',
};

const resourceGroups = new Set(['azurerm_resource_group']);

function isListOrNone(value: unknown): boolean {
  return value === undefined || Array.isArray(value);
}

/** Holds the names of a plan's resources against each other as they go by: as much memory as there are names. */
export class UniqueNames {
  readonly #rules: readonly Rule[];
  readonly #run: DeclarationRunner;
  readonly #indexes = new Map<string, StackIndex>();
  /** What is in a workspace or a resource group that only the configuration names. */
  readonly #waiting = new KeptResources();

  constructor(
    rules: readonly Rule[],
    private readonly locate: Locate,
    now: Date,
  ) {
    this.#rules = rules.filter(({ id }) => aboutNames.has(id));
    this.#run = declarationRunner(this.#rules, { scope: 'stack', now });
  }

  /** What is said of the next declaration; nothing yet, where its place is known only after apply. */
  add(resource: PlannedResource, declaration: DeclaredPart): readonly Finding[] {
    const property = nameOf[declaration.section];
    if (this.#rules.length === 0 || property === undefined || typeof valueAt(declaration.value, [property]) !== 'string') return [];
    // what is of a wrong type is another rule's
    if (!isListOrNone(valueAt(declaration.value, ['groupTypes']))) return [];
    const { section, unknownPaths, resourceGroup } = declaration;
    const isApp = section === 'containerApps';
    if (isApp ? resourceGroup !== undefined : !unknownPaths.some(([first]) => first === 'workspace'))
      return this.#judge(declaration, isApp ? `group ${resourceGroup ?? ''}` : '');
    this.#waiting.push(resource);
    return [];
  }

  /** What is said of those whose place is known only after apply: what they refer to is the same for all that refer to it. */
  finish(configuration: PlanConfiguration | undefined): readonly Finding[] {
    const findings: Finding[] = [];
    for (const resource of this.#waiting) findings.push(...this.#finish(declarationOf(resource) as Declaration, configuration));
    return findings;
  }

  #finish(declaration: Declaration, configuration: PlanConfiguration | undefined): readonly Finding[] {
    const address = declaration.origin.terraformAddress ?? '';
    if (declaration.section === 'containerApps') {
      // a name in a group that isn't known yet has no duplicate
      const group = configuration?.targetOf(address, 'resource_group_name', resourceGroups);
      return this.#judge(declaration, `address ${group ?? address}`);
    }
    const workspace = configuration?.targetOf(address, 'workspace_id', wholeTypes('workspaces'));
    if (workspace === undefined) return this.#judge(declaration, '');
    const unknownPaths = declaration.unknownPaths.filter(([first]) => first !== 'workspace');
    return this.#judge({ ...declaration, value: { ...declaration.value, workspace }, unknownPaths } as unknown as Declaration, '');
  }

  /** @param place where the name has to be unique, such as its resource group. */
  #judge(declaration: Declaration, place: string): readonly Finding[] {
    const index = this.#indexes.get(place) ?? new StackIndex({}, [], () => [], this.locate);
    this.#indexes.set(place, index);
    const { unknownPaths, section, name, origin, value } = declaration;
    if (unknownPaths.length === 0) return this.#run(declaration, index);
    return this.#run({ ...declaration, unknownPaths: [] }, index).map((finding) => {
      const rule = this.#rules.find(({ id }) => id === finding.ruleId);
      const open = unknownPaths.find((path) => rule?.reads?.some((property) => startsWith(path, [property])));
      if (rule === undefined || open === undefined) return finding;
      return makeUnknown(rule, { path: open, value: valueAt(value, open) }, { path: [section, name], origin }, this.locate);
    });
  }
}
