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
import { CastellanConstruct } from '../internal/castellan-construct.js';
import {
  type Construct,
  TerraformDataSource,
  TerraformElement,
  TerraformResource,
} from '../internal/cdktf.js';
import { nodesInStack } from '../internal/stack-nodes.js';
import { addressOf } from '../internal/terraform-address.js';
import { constructsInStack, toDeclaration } from './declarations.js';
import { writtenAttributes, writtenTerraform } from './tree-resources.js';

/**
 * The findings about `forEach`: a resource or an output that refers to an entry and has no
 * `forEach` itself, and names that all entries share where the service refuses the second.
 */
export function forEachFindings(scope: Construct, rules: readonly Rule[]): readonly Finding[] {
  const elements = constructsInStack(scope).flatMap(elementsOf);
  if (elements.every(({ element }) => element.forEach === undefined)) return [];
  const ownFindings = elements.flatMap(({ owner, element }) => {
    const block = { owner, element, attributes: writtenAttributes(element) };
    return element.forEach === undefined
      ? entryReferenceFindings(block, rules)
      : sharedNameFindings(block, rules);
  });
  return rules.includes(referenceExists)
    ? [...ownFindings, ...outsideReferenceFindings(scope, elements)]
    : ownFindings;
}

type Attributes = Readonly<Record<string, unknown>>;

/** A resource or a data source, and the construct that made it. */
interface OwnedElement {
  readonly owner: CastellanConstruct;
  readonly element: TerraformResource | TerraformDataSource;
}

interface Block extends OwnedElement {
  /** The attributes of the element, as they are written to the Terraform JSON. */
  readonly attributes: Attributes;
}

function elementsOf(owner: CastellanConstruct): readonly OwnedElement[] {
  return owner.node.children.flatMap((element) =>
    TerraformResource.isTerraformResource(element) ||
    TerraformDataSource.isTerraformDataSource(element)
      ? [{ owner, element }]
      : [],
  );
}

/** An expression that refers to the entry of a `forEach`; `$${` is text. */
const entryExpression =
  /(?:^|[^$])\$\{(?:.*?[^\w.-])??([\w.-]*(?:\[each\.key\]|\beach\.(?:key|value))[\w.[\]"]*)/s;

/** The first reference to an entry in a value. Dynamic blocks have entries of their own. */
function findEntryReference(value: unknown): string | undefined {
  if (typeof value === 'string') return entryExpression.exec(value)?.[1];
  if (value === null || typeof value !== 'object') return undefined;
  for (const [key, each] of Object.entries(value)) {
    const reference = key === 'dynamic' ? undefined : findEntryReference(each);
    if (reference !== undefined) return reference;
  }
  return undefined;
}

function entryReferenceFindings({ owner, element, attributes }: Block, rules: readonly Rule[]) {
  const reference = findEntryReference(attributes);
  if (reference === undefined || !rules.includes(referenceExists)) return [];
  const parameters = {
    address: addressOf(element),
    entry: reference,
    name: owner.declaration.name,
  };
  return [findingAbout(owner, referenceExists, { messageId: 'entryOutside', parameters })];
}

/**
 * The findings about references to an entry from outside the constructs of this package: outputs
 * (also those by which another stack reads the value), local values and resources of the plain
 * bindings.
 */
function outsideReferenceFindings(scope: Construct, elements: readonly OwnedElement[]) {
  const owners = new Map(elements.map(({ owner, element }) => [addressOf(element), owner]));
  return nodesInStack(scope)
    .filter(TerraformElement.isTerraformElement)
    .filter(
      ({ node, forEach }: TerraformElement & { forEach?: unknown }) =>
        forEach === undefined && !(node.scope instanceof CastellanConstruct),
    )
    .flatMap((element) => {
      const [reference = '', address = ''] =
        addressOfEntry.exec(JSON.stringify(writtenTerraform(element))) ?? [];
      const owner = owners.get(address);
      if (owner === undefined) return [];
      const parameters = { path: element.node.path, entry: reference };
      return [findingAbout(owner, referenceExists, { messageId: 'entryElsewhere', parameters })];
    });
}

const addressOfEntry = /((?:data\.)?[\w-]+\.[\w-]+)\[each\.key\][\w.]*/;

/** The attribute that must be unique within a scope, by the type of a resource. */
const uniqueAttributes: Readonly<
  Record<string, readonly [rule: Rule, attribute: string, scope?: string]>
> = {
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

function sharedNameFindings({ owner, element, attributes }: Block, rules: readonly Rule[]) {
  const { terraformResourceType: type } = element;
  const [rule, attribute = '', scope = ''] = uniqueAttributes[type] ?? [];
  if (rule === undefined || !rules.includes(rule)) return [];
  // mail nicknames of other groups may be the same
  if (type === 'azuread_group' && attributes['mail_enabled'] !== true) return [];
  if (findEntryReference([attributes[attribute], attributes[scope]]) !== undefined) return [];
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
