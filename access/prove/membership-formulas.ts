import type { Formula, Prover, Interpretation } from '../../kinds/membership-rule/prove/index.js';
import { type Group, groupNameOf } from '../directory/group.js';
import type { Memberships } from '../directory/memberships.js';
import type { GroupRecord } from '../directory/records.js';

/** Begins the name of the attribute that says whether somebody is a listed member of a group. */
export const memberPrefix = 'member of ';

/**
 * When a person is in a group: formulas over attributes, and over the groups that list the person.
 */
export class MembershipFormulas {
  readonly #cachedFormulas = new Map<Interpretation, Map<Group, Formula>>();
  /** Groups whose rules are being converted, to detect a rule that leads back to its own group. */
  readonly #beingConverted = new Set<Group>();

  constructor(
    private readonly prover: Prover,
    private readonly memberships: Memberships,
  ) {}

  /** Whether somebody is in a group, or in one nested in it. */
  memberOf(group: Group, interpretation: Interpretation): Formula {
    const cachedFormulas = this.#cachedFormulas.get(interpretation) ?? new Map<Group, Formula>();
    this.#cachedFormulas.set(interpretation, cachedFormulas);
    const cached = cachedFormulas.get(group);
    if (cached !== undefined) return cached;
    const formula = this.prover.atoms.formulas.or(
      this.memberships
        .groupAndNested(group)
        .map((each) => this.directMemberOf(each, interpretation)),
    );
    cachedFormulas.set(group, formula);
    return formula;
  }

  /** Whether somebody is one of these people. @param ids their ids or names */
  isOneOf(ids: readonly string[]): Formula {
    const { atoms } = this.prover;
    const objectId = atoms.text('user.objectId');
    return atoms.formulas.or(
      ids.map((id) => {
        const personIndex = this.memberships.personIndexOf(id.toLowerCase());
        const personId = personIndex === undefined ? id : this.memberships.person(personIndex).id;
        return atoms.textComparison(objectId, 'eq', personId.toLowerCase());
      }),
    );
  }

  /** Whether somebody is in a group that is not known. */
  memberOfUnknown(id: string): Formula {
    const name = id.replace(/^group:/, '');
    return this.prover.atoms.undecidableCondition(
      `${memberPrefix}${id}`,
      `the group ${name} is neither in the configuration nor in the directory that was read`,
      'directory',
    );
  }

  /** Whether somebody is in a group itself: listed, or by its rule. */
  directMemberOf(group: Group, interpretation: Interpretation): Formula {
    const { atoms } = this.prover;
    const { formulas } = atoms;
    const { record, rule } = group;
    if (rule !== undefined)
      return rule.subject === 'user'
        ? this.#selectedByRule(group, rule.parsed, interpretation)
        : formulas.false;
    if (record.rule !== undefined)
      return atoms.undecidableCondition(
        `rule of ${record.id}: ${record.rule}`,
        `the rule of ${groupNameOf(group)} can't be read`,
        'directory',
      );
    const otherMembers = record.members.filter((id) => this.memberships.group(id) === undefined);
    // `idOf` of `access/stack/reference-resolver.ts` returns such an id for a group that was not found
    const isUnresolvedGroup = (id: string): boolean => id.startsWith('group:');
    const undeclaredMembership = atoms.enumerated(`${memberPrefix}${record.id}`, [false, true]);
    return formulas.or([
      this.isOneOf(otherMembers.filter((id) => !isUnresolvedGroup(id))),
      ...otherMembers.filter(isUnresolvedGroup).map((id) => this.memberOfUnknown(id)),
      ...(hasUndeclaredMembers(record) ? [atoms.valueIs(undeclaredMembership, true)] : []),
    ]);
  }

  #selectedByRule(
    group: Group,
    rule: NonNullable<Group['rule']>['parsed'],
    interpretation: Interpretation,
  ): Formula {
    if (this.#beingConverted.has(group))
      return this.prover.atoms.undecidableCondition(
        `${memberPrefix}${group.record.id}, by its own rule`,
        `the rule of ${groupNameOf(group)} names a group whose rule names it`,
        'directory',
      );
    this.#beingConverted.add(group);
    const formula = this.prover.ruleFormula(rule, interpretation, (id) => {
      const source = this.memberships.group(id);
      return source === undefined
        ? this.memberOfUnknown(id)
        : this.directMemberOf(source, interpretation);
    });
    this.#beingConverted.delete(group);
    return formula;
  }
}

/** Whether the configuration does not declare a group's members, so that anybody may become one. */
export function hasUndeclaredMembers({
  declaredName,
  areMembersManagedElsewhere,
}: GroupRecord): boolean {
  return declaredName === undefined || areMembersManagedElsewhere === true;
}
