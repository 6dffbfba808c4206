import type { Formula, Prover, Interpretation } from '../../kinds/membership-rule/prove/index.js';
import type { Group } from '../directory/group.js';
import type { Memberships } from '../directory/memberships.js';
import type { GroupRecord } from '../directory/records.js';

/** The name of the attribute that says whether somebody is a listed member of a group. */
export const memberPrefix = 'member of ';

/** When somebody is in a group: formulas over his attributes and the groups that list him. */
export class MembershipConditions {
  readonly #known = new Map<Interpretation, Map<Group, Formula>>();
  /** Groups whose rules are being read: a rule can name a group whose rule names its own. */
  readonly #beingRead = new Set<Group>();

  constructor(
    private readonly prover: Prover,
    private readonly memberships: Memberships,
  ) {}

  /** Whether somebody is in a group, or in one nested in it. */
  group(group: Group, reading: Interpretation): Formula {
    const known = this.#known.get(reading) ?? new Map<Group, Formula>();
    this.#known.set(reading, known);
    const same = known.get(group);
    if (same !== undefined) return same;
    const formula = this.prover.atoms.formulas.or(
      this.memberships.withNestedGroups(group).map((each) => this.#directly(each, reading)),
    );
    known.set(group, formula);
    return formula;
  }

  /** Whether somebody is one of these people. @param ids their ids or names */
  person(ids: readonly string[]): Formula {
    const { atoms } = this.prover;
    const own = atoms.text('user.objectId');
    return atoms.formulas.or(
      ids.map((id) => {
        const personIndex = this.memberships.personIndexOf(id.toLowerCase());
        const known = personIndex === undefined ? id : this.memberships.person(personIndex).id;
        return atoms.textComparison(own, 'eq', known.toLowerCase());
      }),
    );
  }

  /** Whether somebody is in a group that is not known. */
  unknownGroup(id: string): Formula {
    const name = id.replace(/^group:/, '');
    return this.prover.atoms.unknown(
      `${memberPrefix}${id}`,
      `the group ${name} is neither in the configuration nor in the directory that was read`,
      'of the directory',
    );
  }

  #directly(group: Group, reading: Interpretation): Formula {
    const { atoms } = this.prover;
    const { formulas } = atoms;
    const { record, rule } = group;
    if (rule !== undefined)
      return rule.subject === 'user' ? this.#byRule(group, rule.rule, reading) : formulas.false;
    if (record.rule !== undefined)
      return atoms.unknown(
        `rule of ${record.id}: ${record.rule}`,
        `the rule of ${groupNameOf(group)} can't be read`,
        'of the directory',
      );
    const people = record.members.filter((id) => this.memberships.group(id) === undefined);
    const isForeign = (id: string): boolean => id.startsWith('group:');
    const others = atoms.values(`${memberPrefix}${record.id}`, [false, true]);
    return formulas.or([
      this.person(people.filter((id) => !isForeign(id))),
      ...people.filter(isForeign).map((id) => this.unknownGroup(id)),
      ...(hasUndeclaredMembers(record) ? [atoms.valueIs(others, true)] : []),
    ]);
  }

  #byRule(
    group: Group,
    rule: NonNullable<Group['rule']>['rule'],
    reading: Interpretation,
  ): Formula {
    if (this.#beingRead.has(group))
      return this.prover.atoms.unknown(
        `${memberPrefix}${group.record.id}, by its own rule`,
        `the rule of ${groupNameOf(group)} names a group whose rule names it`,
        'of the directory',
      );
    this.#beingRead.add(group);
    const formula = this.prover.ruleFormula(rule, reading, (id) => {
      const source = this.memberships.group(id);
      return source === undefined ? this.unknownGroup(id) : this.#directly(source, reading);
    });
    this.#beingRead.delete(group);
    return formula;
  }
}

/** Whether the members of a group are no part of the configuration: anybody may become one. */
export function hasUndeclaredMembers({ declared, membersElsewhere }: GroupRecord): boolean {
  return declared === undefined || membersElsewhere === true;
}

/** The name of a group in sentences. */
export function groupNameOf({ record }: Group): string {
  return record.declared ?? record.displayName;
}
