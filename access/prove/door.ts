import type { Formula, Prover, Reading } from '../../kinds/membership-rule/prove/index.js';
import { publicPaths } from '../answer/overview.js';
import type { Group, Memberships } from '../directory/memberships.js';
import type { AppAccess, DirectoryEntrance } from '../stack/apps.js';

/** The name of the attribute that says whether somebody is a listed member of a group. */
export const memberPrefix = 'member of ';
/** The name of the attribute that says whether somebody has a role of an application. */
export const assignedPrefix = 'assigned to ';

const tokensNameAll = /(?:^|,)\s*(?:all|applicationgroup)\s*(?:,|$)/i;
const tokensNameSecurity = /(?:^|,)\s*securitygroup\s*(?:,|$)/i;

/** The condition on a person of the directory under which an app lets him in. */
export class Doors {
  readonly #inside = new Map<string, Formula>();

  /**
   * @param isFree whether the members of a group are no part of the configuration: anybody may
   *   become one.
   */
  constructor(
    private readonly prover: Prover,
    private readonly memberships: Memberships,
    private readonly isFree: (group: Group) => boolean,
  ) {}

  /** The condition of an app. */
  app(app: AppAccess, reading: Reading): Formula {
    const { formulas } = this.prover.vocabulary;
    if (publicPaths(app).includes('/*')) return formulas.true;
    return app.directory === undefined
      ? formulas.false
      : this.#entrance(app.directory, app, reading);
  }

  /** The condition of being in a group, nested ones included. */
  inside(group: Group, reading: Reading): Formula {
    const key = `${group.record.id} ${JSON.stringify(reading)}`;
    const known = this.#inside.get(key);
    if (known !== undefined) return known;
    const formula = this.prover.vocabulary.formulas.or(
      this.memberships.below(group).map((each) => this.#directly(each, reading)),
    );
    this.#inside.set(key, formula);
    return formula;
  }

  #entrance(
    { settings, application, tenant }: DirectoryEntrance,
    app: AppAccess,
    reading: Reading,
  ): Formula {
    const { vocabulary } = this.prover;
    const { formulas } = vocabulary;
    if (typeof tenant === 'object')
      return vocabulary.unknown(
        `account at ${tenant.issuer}`,
        `the people of ${tenant.issuer} are not known`,
      );
    const { identities, groups, claimGroups, applications, claimApplications } = settings.policy;
    const enabled = vocabulary.isValue(
      vocabulary.values('user.accountEnabled', [true, false]),
      true,
    );
    const conditions = [enabled, ...this.#undecided(app)];
    if (application.assignmentRequired)
      conditions.push(
        vocabulary.isValue(
          vocabulary.values(`${assignedPrefix}${application.clientId}`, [false, true]),
          true,
        ),
      );
    for (const list of [applications, claimApplications])
      if (list.length > 0) conditions.push(this.#isCaller(list, application));
    const inOneOf = (ids: readonly string[]): Formula =>
      formulas.or(ids.map((id) => this.#named(id, application, reading)));
    if (claimGroups.length > 0) conditions.push(inOneOf(claimGroups));
    if (identities.length + groups.length > 0)
      conditions.push(formulas.or([this.#isOneOf(identities), inOneOf(groups)]));
    return formulas.and(conditions);
  }

  /** Parts of the settings that are compared, and not decided. */
  #undecided({ settings, directory }: AppAccess): Formula[] {
    const parts: readonly (readonly [string, unknown, boolean])[] = [
      ['the domains of e-mail addresses', settings?.emailDomains, isEmpty(settings?.emailDomains)],
      ['the requirements by path', settings?.requirements, isEmpty(settings?.requirements)],
      [
        'the groups and claims that tokens must hold',
        directory?.settings.rules,
        isEmpty(directory?.settings.rules.groups) &&
          isEmpty(Object.keys(directory?.settings.rules.claims ?? {})),
      ],
    ];
    return parts
      .filter(([, , empty]) => !empty)
      .map(([what, value]) =>
        this.prover.vocabulary.unknown(
          `${what} ${JSON.stringify(value)}`,
          `${what} of ${app(settings)} are not decided for all people`,
        ),
      );
    function app(layer: AppAccess['settings']): string {
      return layer === undefined ? 'no layer' : 'the sign-in layer';
    }
  }

  #isCaller(list: readonly string[], application: DirectoryEntrance['application']): Formula {
    const { formulas } = this.prover.vocabulary;
    const isListed = list.some((id) => id.toLowerCase() === application.clientId.toLowerCase());
    if (isListed) return formulas.true;
    if (application.isKnown) return formulas.false;
    return this.prover.vocabulary.unknown(
      `client id of ${application.name} in ${list.join()}`,
      `the client id of ${application.name} is known after apply only`,
    );
  }

  /** Whether the person's token names a group. */
  #named(id: string, application: DirectoryEntrance['application'], reading: Reading): Formula {
    const { vocabulary } = this.prover;
    const { formulas } = vocabulary;
    const group = this.memberships.group(id);
    if (group === undefined) return this.#foreign(id);
    const claims = application.groupMembershipClaims;
    const member = this.inside(group, reading);
    if (claims === undefined)
      return formulas.and([
        member,
        vocabulary.unknown(
          `tokens of ${application.name} name groups`,
          `whether tokens of ${application.name} name groups is not known`,
        ),
      ]);
    if (tokensNameAll.test(claims)) return member;
    return tokensNameSecurity.test(claims) && group.record.securityEnabled
      ? member
      : formulas.false;
  }

  #directly(group: Group, reading: Reading): Formula {
    const { vocabulary } = this.prover;
    const { formulas } = vocabulary;
    const { record, rule } = group;
    if (rule !== undefined) {
      if (rule.subject !== 'user') return formulas.false;
      return this.prover.rule(rule.rule, reading, (id) => {
        const source = this.memberships.group(id);
        return source === undefined ? this.#foreign(id) : this.#directly(source, reading);
      });
    }
    if (record.rule !== undefined)
      return vocabulary.unknown(
        `rule of ${record.id}: ${record.rule}`,
        `the rule of ${nameOf(group)} can't be read`,
      );
    if (this.isFree(group))
      return vocabulary.isValue(
        vocabulary.values(`${memberPrefix}${record.id}`, [false, true]),
        true,
      );
    const people = record.members.filter((id) => this.memberships.group(id) === undefined);
    const foreign = people.filter((id) => id.startsWith('group:'));
    return formulas.or([
      this.#isOneOf(people.filter((id) => !id.startsWith('group:'))),
      ...foreign.map((id) => this.#foreign(id)),
    ]);
  }

  #isOneOf(ids: readonly string[]): Formula {
    const { vocabulary } = this.prover;
    const own = vocabulary.text('user.objectId');
    return vocabulary.formulas.or(
      ids.map((id) => {
        const place = this.memberships.placeOf(id.toLowerCase());
        const known = place === undefined ? id : this.memberships.person(place).id;
        return vocabulary.compareText(own, 'eq', known.toLowerCase());
      }),
    );
  }

  #foreign(id: string): Formula {
    const name = id.replace(/^group:/, '');
    return this.prover.vocabulary.unknown(
      `${memberPrefix}${id}`,
      `the group ${name} is neither in the configuration nor in the directory that was read`,
    );
  }
}

/** The name of a group in sentences. */
export function nameOf({ record }: Group): string {
  return record.declared ?? record.displayName;
}

function isEmpty(list: readonly unknown[] | undefined): boolean {
  return list === undefined || list.length === 0;
}
