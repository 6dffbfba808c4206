import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../../core/findings/finding.js';
import type { PlannedResource } from '../../policies/engine/planned-resource.js';
import type { Rule } from '../../policies/engine/rule.js';
import { ResourceChecker } from '../../policies/sources/plan/check-plan.js';
import { declaringTypes } from '../../policies/sources/plan/declaring-types.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import {
  type Construct,
  DefaultTokenResolver,
  type IPostProcessor,
  type IResolvable,
  type IResolveContext,
  StringConcat,
  TerraformElement,
  TerraformResource,
  Tokenization,
} from '../internal/cdktf.js';
import { createdAttributes } from '../internal/created-attributes.js';
import { isMovedAway } from '../internal/moved-away.js';
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
  for (const construct of scope.node.findAll()) {
    if (!(construct instanceof CastellanConstruct)) continue;
    const resources = construct.node.children.flatMap((each) => versionsOf(each, construct));
    if (resources.every(({ isChanged }) => !isChanged)) continue;
    before.push(...resources.map((each) => each.before));
    after.push(...resources.map((each) => each.after));
  }
  if (after.length === 0) return declarationFindings;
  const [findingsBefore, findingsAfter] = [before, after].map((each) =>
    checkResources(each, options),
  ) as [readonly Finding[], readonly Finding[]];
  const findingKey = ({ ruleId, path = [] }: Finding): string => `${ruleId} ${path.join('/')}`;
  const previous = new Set(
    [...declarationFindings, ...findingsBefore].filter(isFailure).map(findingKey),
  );
  const isCorrected = correctedBy(findingsBefore, findingsAfter);
  return [
    ...declarationFindings.filter((each) => !isCorrected(each)),
    ...findingsAfter.filter((each) => isFailure(each) && !previous.has(findingKey(each))),
  ];
}

/** Whether a change corrected what a rule found: the rule finds nothing in the construct now. */
function correctedBy(
  before: readonly Finding[],
  after: readonly Finding[],
): (finding: Finding) => boolean {
  const place = (id: string, { constructPath = '' }: Finding): string => `${id} ${constructPath}`;
  const failuresBefore = new Set(
    before.filter(isFailure).map((each) => place(each.fingerprint, each)),
  );
  const rulesAfter = new Set(after.map((each) => place(each.ruleId, each)));
  return (finding) =>
    failuresBefore.has(place(finding.fingerprint, finding)) &&
    !rulesAfter.has(place(finding.ruleId, finding));
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
    requestedDeclarationKeys: new Set(),
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
    !TerraformElement.isTerraformElement(resource) ||
    !TerraformResource.isTerraformResource(resource) ||
    isMovedAway(resource) ||
    !declaringTypes.has(resource.terraformResourceType)
  )
    return [];
  const created = createdAttributes(resource);
  if (created === undefined) return [];
  const { creationLocation: location, usedAt } = owner;
  const origin = {
    constructPath: owner.node.path,
    ...omitUndefined({ location, usedAt }),
  };
  const [createdValues, writtenValues] = [
    resolveAsCreated(resource, created),
    withoutMetaArguments(writtenAttributes(resource)),
  ];
  return [
    {
      before: plannedResource(resource, createdValues, origin),
      after: plannedResource(resource, writtenValues, origin),
      isChanged: !isDeepStrictEqual(toJson(createdValues), toJson(writtenValues)),
    },
  ];
}

type Attributes = Readonly<Record<string, unknown>>;

/** The attributes as they were created, when the values of Lazy were not known yet. */
function resolveAsCreated(resource: TerraformResource, attributes: Attributes): Attributes {
  return Tokenization.resolve(attributes, {
    scope: resource,
    resolver: new CreationResolver(new StringConcat()),
    preparing: false,
  }) as Attributes;
}

/** Some expression, which means a value that is not known. */
const unknownExpression = '${later}';

class CreationResolver extends DefaultTokenResolver {
  override resolveToken(
    token: IResolvable,
    context: IResolveContext,
    postProcessor: IPostProcessor,
  ): unknown {
    // cdktf exports no class for these: `LazyString`, `LazyList`, …
    return token.constructor.name.startsWith('Lazy')
      ? unknownExpression
      : super.resolveToken(token, context, postProcessor);
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
