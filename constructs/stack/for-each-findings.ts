import type { Finding } from '../../core/findings/finding.js';
import { makeFinding } from '../../policies/engine/finding-maker.js';
import type { Rule } from '../../policies/engine/rule.js';
import { referenceExists } from '../../policies/rules/declaration/reference-exists.js';
import {
  appDomainUnique,
  appNameUnique,
  groupMailNicknameUnique,
  itemNameUnique,
  workspaceNameUnique,
} from '../../policies/rules/declaration/unique-names.js';
import type { CastellanConstruct } from '../internal/castellan-construct.js';
import {
  type Construct,
  TerraformDataSource,
  TerraformElement,
  TerraformResource,
} from '../internal/cdktf.js';
import { constructsIn, toDeclaration } from './declarations.js';
import { writtenAttributes } from './tree-resources.js';

/**
 * The findings about `forEach`: a resource that refers to an entry and has no `forEach` itself, and
 * names that all entries share where the service refuses the second.
 */
export function forEachFindings(scope: Construct, rules: readonly Rule[]): readonly Finding[] {
  const elements = constructsIn(scope).flatMap(elementsOf);
  if (elements.every(({ element }) => element.forEach === undefined)) return [];
  return elements.flatMap(({ owner, element }) => {
    const block = { owner, element, attributes: writtenAttributes(element) };
    return element.forEach === undefined ? entriesOutside(block, rules) : sharedNames(block, rules);
  });
}

type Attributes = Readonly<Record<string, unknown>>;

/** A resource or a data source, and the construct that made it. */
interface OwnedElement {
  readonly owner: CastellanConstruct;
  readonly element: TerraformResource | TerraformDataSource;
}

interface Block extends OwnedElement {
  readonly attributes: Attributes;
}

function elementsOf(owner: CastellanConstruct): readonly OwnedElement[] {
  return owner.node.children.flatMap((element) =>
    TerraformElement.isTerraformElement(element) &&
    (TerraformResource.isTerraformResource(element) ||
      TerraformDataSource.isTerraformDataSource(element))
      ? [{ owner, element }]
      : [],
  );
}

/** A value of an entry in an expression; `$${` is text. */
const entry =
  /(?:^|[^$])\$\{(?:.*?[^\w.-])??([\w.-]*(?:\[each\.key\]|\beach\.(?:key|value))[\w.[\]"]*)/s;

/** The first reference to an entry in a value. Dynamic blocks have entries of their own. */
function entryIn(value: unknown): string | undefined {
  if (typeof value === 'string') return entry.exec(value)?.[1];
  if (value === null || typeof value !== 'object') return undefined;
  for (const [key, each] of Object.entries(value)) {
    const found = key === 'dynamic' ? undefined : entryIn(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

function entriesOutside({ owner, element, attributes }: Block, rules: readonly Rule[]) {
  const found = entryIn(attributes);
  if (found === undefined || !rules.includes(referenceExists)) return [];
  const { terraformResourceType: type, friendlyUniqueId } = element;
  const prefix = TerraformDataSource.isTerraformDataSource(element) ? 'data.' : '';
  const address = `${prefix}${type}.${friendlyUniqueId}`;
  const parameters = { address, entry: found, name: owner.declaration.name };
  return [findingAbout(owner, referenceExists, { messageId: 'entryOutside', parameters })];
}

/** The attribute that must be unique within a scope, by the type of a resource. */
const names: Readonly<Record<string, readonly [rule: Rule, attribute: string, scope?: string]>> = {
  azuread_group: [groupMailNicknameUnique, 'mail_nickname'],
  azurerm_container_app: [appNameUnique, 'name', 'resource_group_name'],
  azurerm_container_app_custom_domain: [appDomainUnique, 'name'],
  azurerm_container_app_environment: [appNameUnique, 'name', 'resource_group_name'],
  fabric_workspace: [workspaceNameUnique, 'display_name'],
  fabric_eventhouse: [itemNameUnique, 'display_name', 'workspace_id'],
  fabric_eventstream: [itemNameUnique, 'display_name', 'workspace_id'],
  castellan_eventhouse: [itemNameUnique, 'display_name', 'workspace_id'],
  castellan_eventstream: [itemNameUnique, 'display_name', 'workspace_id'],
};

function sharedNames({ owner, element, attributes }: Block, rules: readonly Rule[]) {
  const { terraformResourceType: type } = element;
  const [rule, attribute = '', scope = ''] = names[type] ?? [];
  if (rule === undefined || !rules.includes(rule)) return [];
  // mail nicknames of other groups may be the same
  if (type === 'azuread_group' && attributes['mail_enabled'] !== true) return [];
  if (entryIn([attributes[attribute], attributes[scope]]) !== undefined) return [];
  const parameters = { given: attributes[attribute] };
  return [findingAbout(owner, rule, { messageId: 'sharedByEntries', parameters })];
}

function findingAbout(
  construct: CastellanConstruct,
  rule: Rule,
  report: Parameters<typeof makeFinding>[1],
): Finding {
  const { section, name, origin } = toDeclaration(construct);
  return makeFinding(rule, report, { path: [section, name], origin }, () => undefined);
}
