import type { Finding } from '../../../core/findings/finding.js';
import { type Locate, makeFinding, makeUnknownFinding } from '../../engine/finding-maker.js';
import { planCatalogueRule } from '../../engine/plan-rule.js';
import type { ReportDescriptor, Rule } from '../../engine/rule.js';
import { type Declaration, isUnified, type Origin, startsWith } from '../../engine/stack-index.js';
import { planEndlessDifference } from '../../rules/plan/plan-endless-difference.js';
import { groupMemberKind } from '../../rules/declaration/group-member-kind.js';
import { groupRoleAssignable } from '../../rules/declaration/group-role-assignable.js';
import type { GroupProps } from '../../../kinds/group/group.js';
import type { PlanConfiguration } from './plan-configuration.js';

interface UndeterminedGroup {
  /** Its name among the declarations. */
  readonly name: string;
  readonly origin: Origin;
  /** The address of its Terraform resource. */
  readonly address: string;
}

/** References to users, as members of a group. */
const userPattern = /^(data\.)?azuread_users?(\.|\[)/;
/** References to service principals. */
const servicePrincipalPattern = /^(data\.)?azuread_service_principals?(\.|\[)/;
/** References to groups. */
const groupPattern = /^(data\.)?azuread_(group|groups|group_without_members)(\.|\[)/;

/**
 * Values of groups that a plan leaves open and its configuration decides: an empty list of owners
 * that the provider shows as unknown, the default visibility of a role-assignable group, and the
 * member types of a unified and of a role-assignable group.
 */
export class UndeterminedGroups {
  readonly #groupsWithUndeterminedOwners: UndeterminedGroup[] = [];
  readonly #groupsWithUndeterminedVisibility: Declaration[] = [];
  readonly #unifiedMembers: UndeterminedGroup[] = [];
  readonly #assignableMembers: UndeterminedGroup[] = [];

  constructor(
    private readonly rules: readonly Rule[],
    private readonly checkDeclaration: (declaration: Declaration) => readonly Finding[],
    private readonly locate: Locate,
  ) {}

  /** Adds a group if the plan leaves such values open. */
  add(declaration: Declaration): void {
    if (declaration.section !== 'groups') return;
    const { name, origin, unknownPaths } = declaration;
    const value = declaration.value as GroupProps;
    const address = origin.terraformAddress ?? '';
    const isUndetermined = (property: string): boolean =>
      unknownPaths.some((path) => startsWith(path, [property]));
    if (isUndetermined('owners'))
      this.#groupsWithUndeterminedOwners.push({ name, origin, address });
    if (value.isAssignableToRole === true && isUndetermined('visibility'))
      this.#groupsWithUndeterminedVisibility.push(declaration);
    const hasTypes = value.groupTypes === undefined || Array.isArray(value.groupTypes);
    const hasMembers =
      isUndetermined('members') || (Array.isArray(value.members) && value.members.length > 0);
    if (hasTypes && isUnified(value) && hasMembers)
      this.#unifiedMembers.push({ name, origin, address });
    if (value.isAssignableToRole === true && hasMembers)
      this.#assignableMembers.push({ name, origin, address });
  }

  /** The findings about those groups. Without a configuration, as for a state, none. */
  finish(configuration: PlanConfiguration | undefined): readonly Finding[] {
    if (configuration === undefined) return [];
    return [
      ...this.#groupsWithUndeterminedOwners.flatMap((group) =>
        configuration.isSetToEmptyList(group.address, 'owners') ? this.#emptyOwners(group) : [],
      ),
      ...this.#groupsWithUndeterminedVisibility.flatMap((group) =>
        this.#defaultVisibility(group, configuration),
      ),
      ...this.#unifiedMembers.flatMap((group) => this.#unifiedMemberKinds(group, configuration)),
      ...this.#assignableMembers.flatMap((group) =>
        this.#assignableMemberKinds(group, configuration),
      ),
    ];
  }

  #emptyOwners({ name, origin, address }: UndeterminedGroup): readonly Finding[] {
    if (!this.#isEnabled(planEndlessDifference.id)) return [];
    const report = { messageId: 'owners', path: ['owners'], parameters: { given: address } };
    return [
      makeFinding(
        planCatalogueRule(planEndlessDifference),
        report,
        { path: ['groups', name], origin },
        this.locate,
      ),
    ];
  }

  #defaultVisibility(group: Declaration, configuration: PlanConfiguration): readonly Finding[] {
    if (!configuration.isLeftToProvider(group.origin.terraformAddress ?? '', ['visibility']))
      return [];
    const { visibility: _visibility, ...value } = group.value as GroupProps;
    const unknownPaths = group.unknownPaths.filter(([first]) => first !== 'visibility');
    return this.checkDeclaration({ ...group, value, unknownPaths } as Declaration).filter(
      ({ ruleId }) => ruleId === groupRoleAssignable.id,
    );
  }

  #unifiedMemberKinds(
    group: UndeterminedGroup,
    configuration: PlanConfiguration,
  ): readonly Finding[] {
    const references = this.#memberReferences(groupMemberKind, group, configuration);
    const nonUser = references?.find(
      (each) => groupPattern.test(each) || servicePrincipalPattern.test(each),
    );
    if (nonUser !== undefined) {
      const what = servicePrincipalPattern.test(nonUser) ? 'a service principal' : 'a group';
      const parameters = { given: nonUser, what, group: 'unified', allowed: ['a user'] };
      return [this.#memberFinding(groupMemberKind, group, { messageId: 'kind', parameters })];
    }
    const isKnown = (reference: string): boolean => userPattern.test(reference);
    if (references === undefined || areAllKindsKnown(references, isKnown)) return [];
    return [this.#unknownMembers(groupMemberKind, group, 'a unified group takes users only')];
  }

  #assignableMemberKinds(
    group: UndeterminedGroup,
    configuration: PlanConfiguration,
  ): readonly Finding[] {
    const references = this.#memberReferences(groupRoleAssignable, group, configuration);
    const given = references?.find((each) => groupPattern.test(each));
    if (given !== undefined) {
      const report = { messageId: 'nested', parameters: { given } };
      return [this.#memberFinding(groupRoleAssignable, group, report)];
    }
    const isKnown = (reference: string): boolean =>
      userPattern.test(reference) || servicePrincipalPattern.test(reference);
    if (references === undefined || areAllKindsKnown(references, isKnown)) return [];
    return [
      this.#unknownMembers(groupRoleAssignable, group, 'a role-assignable group takes no groups'),
    ];
  }

  /** What the members of a group refer to; undefined if the rule is off, or none are set. */
  #memberReferences(
    { id }: Rule,
    { address }: UndeterminedGroup,
    configuration: PlanConfiguration,
  ): readonly string[] | undefined {
    return this.#isEnabled(id) && configuration.isSet(address, ['members']) === true
      ? configuration.referencesOf(address, 'members')
      : undefined;
  }

  #memberFinding(
    rule: Rule,
    { name, origin }: UndeterminedGroup,
    report: Pick<ReportDescriptor, 'messageId' | 'parameters'>,
  ): Finding {
    const subject = { path: ['groups', name], origin };
    return makeFinding(rule, { ...report, path: ['members'] }, subject, this.locate);
  }

  /** @param demand which kinds the group takes. */
  #unknownMembers(rule: Rule, { name, origin }: UndeterminedGroup, demand: string): Finding {
    const subject = { path: ['groups', name], origin };
    const value = { path: ['members'], value: undefined };
    return {
      ...makeUnknownFinding(rule, value, subject, this.locate),
      message: `members can't be judged: the plan doesn't say of which kind they are, and ${demand}`,
    };
  }

  #isEnabled(id: string): boolean {
    return this.rules.some((rule) => rule.id === id);
  }
}

/** Whether references say of which kind all members are. */
function areAllKindsKnown(
  references: readonly string[],
  isKnown: (reference: string) => boolean,
): boolean {
  return references.length > 0 && references.every(isKnown);
}
