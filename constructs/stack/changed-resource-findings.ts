import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../../core/findings/finding.js';
import type { PlannedResource } from '../../policies/engine/planned-resource.js';
import type { Rule } from '../../policies/engine/rule.js';
import { ResourceChecker } from '../../policies/sources/plan/check-plan.js';
import { checkedResourceTypes } from '../../policies/sources/plan/declaring-types.js';
import type { CastellanConstruct } from '../internal/castellan-construct.js';
import {
  type Construct,
  DefaultTokenResolver,
  type IPostProcessor,
  type IResolvable,
  type IResolveContext,
  StringConcat,
  TerraformResource,
  Tokenization,
} from '../internal/cdktf.js';
import { createdAttributes } from '../internal/created-attributes.js';
import { isMovedAway } from '../internal/moved-away.js';
import { constructsInStack } from './declarations.js';
import { plannedResource, treeConfiguration, writtenAttributes } from './tree-resources.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

/** The rules that run, their options, and the time that they compare dates with. */
export interface RuleRunOptions {
  readonly rules: readonly Rule[];
  /** The options of rules, by id. */
  readonly ruleOptions: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly now: Date;
}

/**
 * The findings about declarations as their resources are written: with those about attributes that
 * were changed after a construct of this package created them, by overrides, setters, Aspects or
 * Lazy values, and without those that such a change corrected.
 */
export function findingsAfterChanges(
  scope: Construct,
  options: RuleRunOptions,
  declarationFindings: readonly Finding[],
): readonly Finding[] {
  const before: PlannedResource[] = [];
  const after: PlannedResource[] = [];
  for (const construct of constructsInStack(scope)) {
    const resources = construct.node.children.flatMap((each) => versionsOf(each, construct));
    if (resources.every(({ isChanged }) => !isChanged)) continue;
    before.push(...resources.map((each) => each.before));
    after.push(...resources.map((each) => each.after));
  }
  if (after.length === 0) return declarationFindings;
  const findingsBefore = checkResources(before, options);
  const findingsAfter = checkResources(after, options);
  const isGone = goneBetween(findingsBefore, findingsAfter);
  const remaining = declarationFindings.filter((each) => !isFailure(each) || !isGone(each));
  const remainingKeys = new Set(remaining.filter(isFailure).map(findingKey));
  const textsBefore = new Set(findingsBefore.filter(isFailure).map(textKey));
  const added = findingsAfter
    .filter(isFailure)
    .filter((each) => !textsBefore.has(textKey(each)) || isGone(each))
    .filter((each) => !remainingKeys.has(findingKey(each)));
  return [...remaining, ...added];
}

/**
 * Whether a finding about a resource as it was created is not found any more: its value was
 * corrected, or replaced by another one, about which the message differs. A value that is now known
 * only after apply does not correct it.
 */
function goneBetween(
  before: readonly Finding[],
  after: readonly Finding[],
): (finding: Finding) => boolean {
  const textsAfter = new Set(after.map(textKey));
  const unknownAfter = new Set(
    after.filter(({ verdict }) => verdict === 'unknown').map(propertyKey),
  );
  const gone = new Set(
    before
      .filter(isFailure)
      .filter((each) => !textsAfter.has(textKey(each)) && !unknownAfter.has(propertyKey(each)))
      .map(findingKey),
  );
  return (finding) => gone.has(findingKey(finding));
}

/** Equal for the findings of one message about one property of a construct. */
function findingKey({ fingerprint, constructPath }: Finding): string {
  return JSON.stringify([fingerprint, constructPath]);
}

/** Equal for the findings of one rule about one property of a construct. */
function propertyKey({ ruleId, path, constructPath }: Finding): string {
  return JSON.stringify([ruleId, path, constructPath]);
}

/** {@link findingKey} with the text of the message, which says the value. */
function textKey(finding: Finding): string {
  return JSON.stringify([findingKey(finding), finding.message]);
}

const isFailure = ({ verdict }: Finding): boolean => verdict === 'fail';

function checkResources(
  resources: readonly PlannedResource[],
  { rules, ruleOptions, now }: RuleRunOptions,
): readonly Finding[] {
  const checker = new ResourceChecker({
    rules,
    ruleOptions,
    now,
    locate: () => undefined,
    declarationsToReturn: new Set(),
    configuration: treeConfiguration(resources),
  });
  for (const resource of resources) checker.add(resource);
  return checker.finish().findings;
}

interface Versions {
  /** As the construct created it. */
  readonly before: PlannedResource;
  /** As it is written, after overrides, setters and Aspects. */
  readonly after: PlannedResource;
  readonly isChanged: boolean;
}

function versionsOf(resource: Construct, owner: CastellanConstruct): readonly Versions[] {
  if (
    !TerraformResource.isTerraformResource(resource) ||
    isMovedAway(resource) ||
    !checkedResourceTypes.has(resource.terraformResourceType)
  )
    return [];
  const created = createdAttributes(resource);
  if (created === undefined) return [];
  const { creationLocation: location, usedAt } = owner;
  const origin = {
    constructPath: owner.node.path,
    ...omitUndefined({ location, usedAt }),
  };
  const createdValues = resolveAsCreated(resource, created);
  const writtenValues = withoutMetaArguments(writtenAttributes(resource));
  return [
    {
      before: plannedResource(resource, createdValues, origin),
      after: plannedResource(resource, writtenValues, origin),
      isChanged: !isDeepStrictEqual(toJson(createdValues), toJson(writtenValues)),
    },
  ];
}

type Attributes = Readonly<Record<string, unknown>>;

/** The attributes as they were created, when tokens that synthesis resolves were not known yet. */
function resolveAsCreated(resource: TerraformResource, attributes: Attributes): Attributes {
  return Tokenization.resolve(attributes, {
    scope: resource,
    resolver: new CreationResolver(new StringConcat()),
    preparing: false,
  }) as Attributes;
}

/** Some expression, which means a value that is not known. */
const unknownExpression = '${later}';

/** Resolves references, but not `Lazy` and other tokens that produce their value at synthesis. */
class CreationResolver extends DefaultTokenResolver {
  override resolveToken(
    token: IResolvable,
    context: IResolveContext,
    postProcessor: IPostProcessor,
  ): unknown {
    const value: unknown = super.resolveToken(token, context, postProcessor);
    const isExpression = typeof value === 'string' && value.includes('${');
    // parts of an expression have no braces of their own
    return isExpression || context.suppressBraces === true ? value : unknownExpression;
  }
}

const metaArguments = new Set([
  'depends_on',
  'provider',
  'lifecycle',
  'for_each',
  'count',
  'provisioner',
  'connection',
]);

function withoutMetaArguments(attributes: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).filter(([name]) => !metaArguments.has(name)),
  );
}

function toJson(value: Attributes): unknown {
  return JSON.parse(JSON.stringify(value));
}
