import type { Finding } from '../../core/findings/finding.js';
import { makeFinding } from '../../policies/engine/finding-maker.js';
import type { Rule } from '../../policies/engine/rule.js';
import { referenceExists } from '../../policies/rules/declaration/reference-exists.js';
import { resourceGroupCreator } from '../container-app/resource-group.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import { type Construct, TerraformResource } from '../internal/cdktf.js';
import { nodesInStack } from '../internal/stack-nodes.js';
import { addressOf } from '../internal/terraform-address.js';
import { writtenAttributes } from './tree-resources.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

const type = 'azurerm_resource_group';

/**
 * The findings about resource groups that constructs create from a name although the tree has one of
 * that name already, as with `resourceGroup: group.name` in place of `resourceGroup: group`.
 */
export function duplicateResourceGroupFindings(
  scope: Construct,
  rules: readonly Rule[],
): readonly Finding[] {
  if (!rules.includes(referenceExists)) return [];
  const groups = nodesInStack(scope).filter(isResourceGroup);
  if (groups.length < 2) return [];
  const namedGroups = groups.map((group) => ({ group, name: writtenAttributes(group)['name'] }));
  return namedGroups.flatMap(({ group, name }) => {
    const creator = resourceGroupCreator(group);
    const sameNamed = namedGroups.find(
      (each) =>
        each.group !== group &&
        (name === `\${${addressOf(each.group)}.name}` || name === each.name),
    );
    if (creator === undefined || sameNamed === undefined) return [];
    const report = {
      messageId: 'createdTwice',
      path: ['resourceGroup'],
      parameters: { other: addressOf(sameNamed.group) },
    };
    return [makeFinding(referenceExists, report, subjectOf(creator), () => undefined)];
  });
}

function isResourceGroup(node: unknown): node is TerraformResource {
  return TerraformResource.isTerraformResource(node) && node.terraformResourceType === type;
}

/** The construct that a finding is about. */
function subjectOf(construct: Construct) {
  const constructPath = construct.node.path;
  if (!(construct instanceof CastellanConstruct)) return { path: [], origin: { constructPath } };
  const { creationLocation: location, usedAt, declaration } = construct;
  return {
    path: [declaration.section, declaration.name],
    origin: {
      constructPath,
      ...omitUndefined({ location, usedAt }),
    },
  };
}
