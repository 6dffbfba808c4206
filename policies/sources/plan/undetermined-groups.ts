import type { Finding } from '../../../core/findings/finding.js';
import { type Locate, makeFinding, makeUnknownFinding } from '../../engine/finding-maker.js';
import { planCatalogueRule } from '../../engine/plan-rule.js';
import type { Rule } from '../../engine/rule.js';
import { type Declaration, isUnified, type Origin, startsWith } from '../../engine/stack-index.js';
import { planEndlessDifference } from '../../rules/plan/plan-endless-difference.js';
import { groupMemberKind } from '../../rules/declaration/group-member-kind.js';
import { groupRoleAssignable } from '../../rules/declaration/group-role-assignable.js';
import type { GroupProps } from '../../../kinds/group/group.js';
import type { PlanConfiguration } from './configuration.js';

interface UndeterminedGroup {
  /** Its name among the declarations. */
  readonly name: string;
  readonly origin: Origin;
  /** The address of its Terraform resource. */
  readonly address: string;
}

/** References to users, as members of a group. */
const userPattern = /^(data\.)?azuread_users?(\.|\[)/;
/** References to groups and service principals. */
const nonUserPattern =
  /^(data\.)?azuread_(group|groups|service_principal|service_principals|group_without_members)(\.|\[)/;

/**
 * Values of groups that a plan leaves open and its configuration decides: an empty list of owners
 * that the provider shows as unknown, the default visibility of a role-assignable group, and the
 * member types of a unified group.
 */
export class UndeterminedGroups {
  readonly #ownersOpen: UndeterminedGroup[] = [];
  readonly #visibilityOpen: Declaration[] = [];
  readonly #unifiedMembers: UndeterminedGroup[] = [];

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
    const isOpen = (property: string): boolean =>
      unknownPaths.some((path) => startsWith(path, [property]));
    if (isOpen('owners')) this.#ownersOpen.push({ name, origin, address });
    if (value.isAssignableToRole === true && isOpen('visibility'))
      this.#visibilityOpen.push(declaration);
    const hasTypes = value.groupTypes === undefined || Array.isArray(value.groupTypes);
    const hasMembers =
      isOpen('members') || (Array.isArray(value.members) && value.members.length > 0);
    if (hasTypes && isUnified(value) && hasMembers)
      this.#unifiedMembers.push({ name, origin, address });
  }

  /** The findings about those groups. Without a configuration, as for a state, none. */
  finish(configuration: PlanConfiguration | undefined): readonly Finding[] {
    if (configuration === undefined) return [];
    return [
      ...this.#ownersOpen.flatMap((group) =>
        configuration.isSetToEmptyList(group.address, 'owners') ? this.#emptyOwners(group) : [],
      ),
      ...this.#visibilityOpen.flatMap((group) => this.#defaultVisibility(group, configuration)),
      ...this.#unifiedMembers.flatMap((group) => this.#memberKinds(group, configuration)),
    ];
  }

  #emptyOwners({ name, origin, address }: UndeterminedGroup): readonly Finding[] {
    if (!this.#runs(planEndlessDifference.id)) return [];
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

  #memberKinds(
    { name, origin, address }: UndeterminedGroup,
    configuration: PlanConfiguration,
  ): readonly Finding[] {
    if (!this.#runs(groupMemberKind.id) || configuration.isSet(address, ['members']) !== true)
      return [];
    const references = configuration.referencesOf(address, 'members');
    const subject = { path: ['groups', name], origin };
    const [nonUser] = references.filter((each) => nonUserPattern.test(each));
    if (nonUser !== undefined) {
      const what = nonUser.includes('service_principal') ? 'a service principal' : 'a group';
      const parameters = { given: nonUser, what, group: 'unified', allowed: ['a user'] };
      return [
        makeFinding(
          groupMemberKind,
          { messageId: 'kind', path: ['members'], parameters },
          subject,
          this.locate,
        ),
      ];
    }
    if (references.length > 0 && references.every((each) => userPattern.test(each))) return [];
    const open = makeUnknownFinding(
      groupMemberKind,
      { path: ['members'], value: undefined },
      subject,
      this.locate,
    );
    return [
      {
        ...open,
        message:
          "members can't be judged: the plan doesn't say of which kind they are, and a unified group takes users only",
      },
    ];
  }

  #runs(id: string): boolean {
    return this.rules.some((rule) => rule.id === id);
  }
}
