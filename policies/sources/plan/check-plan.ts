import type { Finding } from '../../../core/findings/finding.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import { makeFinding } from '../../engine/finding-maker.js';
import { UnknownValueCounts } from '../../engine/unknown-value-counts.js';
import { planCatalogueRule, type PlanRule } from '../../engine/plan-rule.js';
import { groupTwoOwners } from '../../rules/declaration/group-two-owners.js';
import { planRules } from '../../rules/plan/index.js';
import type { Declaration } from '../../engine/stack-index.js';
import { DisjointGroups } from './disjoint-groups.js';
import { UndeterminedGroups } from './undetermined-groups.js';
import { parseAddress } from './address.js';
import { type DeclaredPart, declarationOf, originOf } from './declarations.js';
import { mappedAttribute, sectionOf } from './declaring-types.js';
import type { PlanConfiguration } from './plan-configuration.js';
import {
  locateAtOwnResource,
  type JoinedDeclaration,
  DeclarationJoiner,
} from './joined-declarations.js';
import { lifecycleFindings } from './lifecycle-policy.js';
import { unknownAuthMarker, unattachedAuthFindings } from './unattached-auth.js';
import { type DeclarationChecker, declarationChecker } from './declaration-checker.js';
import { UniqueNames } from './unique-names.js';
import { WorkloadProfiles } from './workload-profiles.js';
import type { TerraformResource } from '../../engine/terraform-resource.js';
import { terraformResource } from './terraform-resource.js';
import type { PlanCheckOptions } from './plan-check-options.js';
import type { PlannedResource } from '../../engine/planned-resource.js';

/** The results of checking a plan. */
export interface PlanCheck {
  readonly findings: readonly Finding[];
  /**
   * The requested declarations (`PlanCheckOptions.declarationsToReturn`) with their values in
   * the plan.
   */
  readonly requestedDeclarations: ReadonlyMap<string, Declaration>;
  /** The live ids in a state, by `eventhouses.clicks`, if requested. */
  readonly liveIds: ReadonlyMap<string, string>;
  /** All declarations in the plan, if requested. */
  readonly declarations: readonly Declaration[];
  /** How many managed resources the plan has. */
  readonly resourceCount: number;
  /** How many of them no rule judges, by type. */
  readonly unjudgedTypes: ReadonlyMap<string, number>;
  /** The requested resources. */
  readonly requestedResources: readonly TerraformResource[];
}

/**
 * Checks a plan resource by resource: its actions, and its declarations by the same rules as the
 * sources.
 */
export function checkPlan(
  resources: readonly PlannedResource[],
  options: PlanCheckOptions,
): PlanCheck {
  const checker = new ResourceChecker(options);
  for (const resource of resources) checker.add(resource);
  return checker.finish();
}

/**
 * Checks resources one by one; resources that declare something together, such as an app
 * and its sign-in settings, are checked by {@link ResourceChecker.finish}.
 */
export class ResourceChecker {
  readonly #findings = new FindingsByAddress();
  readonly #requestedDeclarations = new Map<string, Declaration>();
  readonly #liveIds = new Map<string, string>();
  readonly #declarations: Declaration[] = [];
  readonly #requestedResources: PlannedResource[] = [];
  readonly #joiner = new DeclarationJoiner();
  readonly #uniqueNames: UniqueNames;
  readonly #workloadProfiles: WorkloadProfiles;
  /** The addresses of resources that are checked elsewhere. */
  readonly #checkedElsewhere = new Set<string | undefined>();
  /** Groups with values that the plan leaves open and its configuration decides. */
  readonly #undeterminedGroups: UndeterminedGroups;
  /** Groups that must have no member in common, by the policy. */
  readonly #disjointGroups: DisjointGroups;
  readonly #planRules: ReadonlyMap<string, readonly PlanRule[]>;
  readonly #checkDeclaration: DeclarationChecker;
  readonly #unknownCounts = new UnknownValueCounts();
  readonly #unjudgedTypes = new Map<string, number>();
  #managedCount = 0;

  constructor(private readonly options: PlanCheckOptions) {
    const enabled = new Set(options.rules.map(({ id }) => id));
    this.#planRules = byType((options.planRules ?? planRules).filter(({ id }) => enabled.has(id)));
    this.#checkDeclaration = declarationChecker(options);
    this.#undeterminedGroups = new UndeterminedGroups(
      options.rules,
      this.#checkDeclaration,
      options.locate,
    );
    this.#disjointGroups = new DisjointGroups(options);
    this.#workloadProfiles = new WorkloadProfiles(options);
    this.#uniqueNames = new UniqueNames(
      options.comparesNames === false ? [] : options.rules,
      options.locate,
      options.now,
    );
  }

  /** Records the name of a resource that is checked elsewhere, which no other may have. */
  reserveName(resource: PlannedResource): void {
    const declaration = declarationOf(resource);
    if (declaration === undefined || !isWhole(declaration)) return;
    this.#checkedElsewhere.add(resource.address);
    this.#uniqueNames.add(declaration);
  }

  add(resource: PlannedResource): void {
    if (resource.mode !== 'managed') return;
    this.#managedCount++;
    if (this.options.wantsResource?.(resource.type) === true)
      this.#requestedResources.push(resource);
    const declaration = declarationOf(resource);
    if (!this.#isJudged(resource, declaration))
      this.#unjudgedTypes.set(resource.type, (this.#unjudgedTypes.get(resource.type) ?? 0) + 1);
    for (const rule of this.#planRules.get(resource.type) ?? [])
      this.#findings.add(planFindings(rule, resource, declaration, this.options));
    if (resource.type === 'castellan_group_lifecycle_policy')
      this.#findings.add(lifecycleFindings(resource, this.options));
    if (declaration === undefined) return;
    if (isWhole(declaration)) {
      this.#findings.add(this.#uniqueNames.add(declaration));
      this.#undeterminedGroups.add(declaration);
      this.#disjointGroups.add(declaration);
      this.#workloadProfiles.add(declaration, resource);
    }
    if (this.#joiner.addIfPart(declaration)) return;
    // An additional resource has only a part of the declaration, which another resource makes.
    if (declaration.isAdditional !== true) this.#record(declaration);
    this.#findings.add(this.#checkDeclaration(declaration, this.#unknownCounts));
  }

  #isJudged(resource: PlannedResource, declaration: Declaration | undefined): boolean {
    return (
      declaration !== undefined ||
      this.#planRules.has(resource.type) ||
      this.options.wantsResource?.(resource.type) === true ||
      resource.type === 'castellan_group_lifecycle_policy' ||
      sectionOf(resource) !== undefined
    );
  }

  finish(): PlanCheck {
    const { configuration } = this.options;
    this.#findings.add(
      this.#uniqueNames
        .finish(configuration)
        .filter(({ terraformAddress }) => !this.#checkedElsewhere.has(terraformAddress)),
    );
    const { declarations, unattachedAuth } = this.#joiner.join(configuration);
    const markUnknownAuth = unknownAuthMarker(unattachedAuth);
    for (const each of declarations) {
      const declaration = withHiddenSecrets(each, configuration);
      if (!isDomainAlone(declaration)) this.#record(declaration);
      const isAlone = declaration.origins.size === 0;
      const findings = this.#checkDeclaration(
        declaration,
        isAlone ? this.#unknownCounts : undefined,
      );
      this.#findings.add(
        [...findings, ...this.#uniqueNames.addDomains(declaration)].map((finding) =>
          locateAtOwnResource(markUnknownAuth(finding), declaration),
        ),
      );
    }
    this.#findings.add(this.#undeterminedGroups.finish(configuration));
    this.#findings.add(this.#disjointGroups.finish());
    this.#findings.add(this.#workloadProfiles.finish(configuration));
    this.#findings.add(unattachedAuthFindings(unattachedAuth, this.options));
    const { isDeclared = () => false, locate } = this.options;
    const furtherFindings = this.#unknownCounts.finish(
      (address, declarationPath, path) =>
        isDeclared(declarationPath) || this.#isLeftToProvider(address, path),
      locate,
    );
    const findings = [
      ...this.#findings.all.filter((finding) => !this.#isChosenByProvider(finding)),
      ...furtherFindings,
    ];
    const requestedResources = this.#requestedResources.map((resource) =>
      terraformResource(resource, configuration),
    );
    return {
      findings,
      requestedDeclarations: this.#requestedDeclarations,
      liveIds: this.#liveIds,
      declarations: this.#declarations,
      resourceCount: this.#managedCount,
      unjudgedTypes: this.#unjudgedTypes,
      requestedResources,
    };
  }

  /**
   * Whether a finding is about a value that the provider or the directory chooses, so that it is not
   * reported: a value that is known only after apply and that the configuration does not set, or the
   * owners of a group whose configuration sets none, to which the directory adds its creator.
   */
  #isChosenByProvider({ ruleId, verdict, terraformAddress = '', path = [] }: Finding): boolean {
    if (verdict === 'unknown') return this.#isLeftToProvider(terraformAddress, path.slice(2));
    return (
      ruleId === groupTwoOwners.id &&
      this.options.configuration?.isSet(terraformAddress, ['owners']) === false
    );
  }

  #isLeftToProvider(address: string, path: ConfigPath): boolean {
    const attribute = mappedAttribute(typeOf(address), path);
    return (
      attribute !== undefined &&
      this.options.configuration?.isLeftToProvider(address, attribute) === true
    );
  }

  #record(declaration: Declaration): void {
    const key = `${declaration.section}.${declaration.name}`;
    if (this.options.declarationsToReturn.has(key))
      this.#requestedDeclarations.set(key, declaration);
    const { liveId } = declaration.origin;
    if (this.options.returnsLiveIds === true && liveId !== undefined)
      this.#liveIds.set(key, liveId);
    if (this.options.returnsDeclarations === true) this.#declarations.push(declaration);
  }
}

function isWhole({ part }: DeclaredPart): boolean {
  return part === undefined || part === 'whole';
}

/** Whether a declaration is the domain of an app that is none of these resources. */
function isDomainAlone({ hasPrimaryResource, value }: JoinedDeclaration): boolean {
  return !hasPrimaryResource && Object.keys(value).every((key) => key === 'customDomains');
}

/**
 * Marks the secrets of an app as unknown if they may be in a `sensitive_body`, which plans omit.
 */
function withHiddenSecrets(
  declaration: JoinedDeclaration,
  configuration: PlanConfiguration | undefined,
): JoinedDeclaration {
  const { terraformAddress = '' } = declaration.origin;
  if (
    !mayHideSecrets(declaration.section, typeOf(terraformAddress)) ||
    configuration?.isSet(terraformAddress, ['sensitive_body']) !== true
  )
    return declaration;
  return { ...declaration, unknownPaths: [...declaration.unknownPaths, ['secrets']] };
}

function mayHideSecrets(section: string, type: string): boolean {
  return section === 'containerApps' && type === 'azapi_resource';
}

/** The type in an address; most have the form `type.name`. */
function typeOf(address: string): string {
  return /^([^.[\]]+)\.[^.[\]]+$/.exec(address)?.[1] ?? parseAddress(address)?.type ?? '';
}

function byType(rules: readonly PlanRule[]): ReadonlyMap<string, readonly PlanRule[]> {
  const types = new Set(rules.flatMap((rule) => rule.types));
  return new Map(
    [...types].map((type) => [type, rules.filter((rule) => rule.types.includes(type))]),
  );
}

/**
 * Collects findings without repetitions: those with the same address, fingerprint, verdict and
 * message. Equal findings about resources with different addresses are all kept.
 */
class FindingsByAddress {
  readonly all: Finding[] = [];
  /** By address and fingerprint. */
  readonly #seen = new Map<string, Map<string, Finding[]>>();

  add(findings: readonly Finding[]): void {
    for (const finding of findings) {
      const { fingerprint, verdict, message, terraformAddress = '' } = finding;
      const findingsOfAddress = this.#seen.get(terraformAddress) ?? new Map<string, Finding[]>();
      if (findingsOfAddress.size === 0) this.#seen.set(terraformAddress, findingsOfAddress);
      const sameFingerprint = findingsOfAddress.get(fingerprint);
      if (
        sameFingerprint?.some((each) => each.verdict === verdict && each.message === message) ===
        true
      )
        continue;
      if (sameFingerprint === undefined) findingsOfAddress.set(fingerprint, [finding]);
      else sameFingerprint.push(finding);
      this.all.push(finding);
    }
  }
}

function planFindings(
  rule: PlanRule,
  resource: PlannedResource,
  declaration: Declaration | undefined,
  { locate }: PlanCheckOptions,
): readonly Finding[] {
  const findings: Finding[] = [];
  const path =
    declaration === undefined
      ? [resource.type, resource.name]
      : [declaration.section, declaration.name];
  rule.check(resource, ({ messageId, attribute = [], parameters = {} }) => {
    const subject = { path, origin: originOf(resource) };
    const finding = makeFinding(
      planCatalogueRule(rule),
      { messageId, parameters, path: attribute },
      subject,
      locate,
    );
    findings.push(finding);
  });
  return findings;
}
