import type { Formula, Prover, Interpretation } from '../../kinds/membership-rule/prove/index.js';
import { parseTarget, requirementsOf } from '../../services/auth-sidecar/settings.js';
import type { Group } from '../directory/group.js';
import type { Memberships } from '../directory/memberships.js';
import type { GroupRecord } from '../directory/records.js';
import type { AppAccess, DirectoryEntrance } from '../stack/apps.js';
import { isPublic, pathOutside } from './public-paths.js';

/** The name of the attribute that says whether somebody is a listed member of a group. */
export const memberPrefix = 'member of ';
/** The name of the attribute that says whether somebody has a role of an application. */
export const assignedPrefix = 'assigned to ';

const tokensNameAll = /(?:^|,)\s*all\s*(?:,|$)/i;
const tokensNameAssigned = /(?:^|,)\s*applicationgroup\s*(?:,|$)/i;
const tokensNameSecurity = /(?:^|,)\s*securitygroup\s*(?:,|$)/i;

/** The condition on a person of the directory under which an app lets him in. */
export class EntryConditions {
  readonly #inside = new Map<string, Formula>();
  /** Groups whose rules are being read: a rule can name a group whose rule names its own. */
  readonly #beingRead = new Set<Group>();

  constructor(
    private readonly prover: Prover,
    private readonly memberships: Memberships,
  ) {}

  /** The condition of an app, at a path. @param path @default any path of it */
  app(app: AppAccess, reading: Interpretation, path?: string): Formula {
    const { formulas } = this.prover.vocabulary;
    const paths = path === undefined ? pathClasses([app]) : [path];
    if (paths.some((each) => isPublic(app, each))) return formulas.true;
    const { directory } = app;
    if (directory === undefined) return formulas.false;
    return formulas.and([
      this.#entrance(directory, app, reading),
      formulas.or(paths.map((each) => this.#required(directory, app, each, reading))),
    ]);
  }

  /** What a path needs beyond the entrance. */
  #required(
    { application }: DirectoryEntrance,
    { settings }: AppAccess,
    path: string,
    reading: Interpretation,
  ): Formula {
    const { vocabulary } = this.prover;
    const { formulas } = vocabulary;
    const needed = requirementsOf(parseTarget(path), settings?.requirements ?? []);
    const conditions = needed.flatMap(({ groups, claims, emailDomains, acrValues }) => {
      const open = (isAsked: boolean, what: string): Formula[] =>
        isAsked
          ? [
              vocabulary.unknown(
                `has ${what}`,
                `whether somebody has ${what} is not decided for all`,
              ),
            ]
          : [];
      return [
        ...(groups.length === 0
          ? []
          : [formulas.or(groups.map((id) => this.#named(id, application, reading)))]),
        ...Object.entries(claims).flatMap(([name, values]) =>
          open(true, `the claim ${name} with ${values.join(' or ')}`),
        ),
        ...open(emailDomains.length > 0, `a verified address of ${emailDomains.join(' or ')}`),
        ...open(acrValues.length > 0, `a sign-in with ${acrValues.join(' or ')}`),
      ];
    });
    return formulas.and(conditions);
  }

  /** The condition of being in a group, nested ones included. */
  inside(group: Group, reading: Interpretation): Formula {
    const key = `${group.record.id} ${JSON.stringify(reading)}`;
    const known = this.#inside.get(key);
    if (known !== undefined) return known;
    const formula = this.prover.vocabulary.formulas.or(
      this.memberships.withNestedGroups(group).map((each) => this.#directly(each, reading)),
    );
    this.#inside.set(key, formula);
    return formula;
  }

  #entrance(
    { settings, application, tenant }: DirectoryEntrance,
    app: AppAccess,
    reading: Interpretation,
  ): Formula {
    const { vocabulary } = this.prover;
    const { formulas } = vocabulary;
    if (typeof tenant === 'object')
      return vocabulary.unknown(
        `account at ${tenant.issuer} by ${JSON.stringify([settings.policy, settings.rules, app.settings?.emailDomains, application.assignmentRequired])}`,
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
  #named(
    id: string,
    application: DirectoryEntrance['application'],
    reading: Interpretation,
  ): Formula {
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
    if (tokensNameSecurity.test(claims) && group.record.securityEnabled) return member;
    if (!tokensNameAssigned.test(claims)) return formulas.false;
    return formulas.and([
      member,
      vocabulary.unknown(
        `${nameOf(group)} has a role of ${application.name}`,
        `tokens of ${application.name} name a group only if it has a role there`,
      ),
    ]);
  }

  #directly(group: Group, reading: Interpretation): Formula {
    const { vocabulary } = this.prover;
    const { formulas } = vocabulary;
    const { record, rule } = group;
    if (rule !== undefined) {
      if (rule.subject !== 'user') return formulas.false;
      if (this.#beingRead.has(group))
        return vocabulary.unknown(
          `${memberPrefix}${record.id}, by its own rule`,
          `the rule of ${nameOf(group)} names a group whose rule names it`,
        );
      this.#beingRead.add(group);
      const formula = this.prover.rule(rule.rule, reading, (id) => {
        const source = this.memberships.group(id);
        return source === undefined ? this.#foreign(id) : this.#directly(source, reading);
      });
      this.#beingRead.delete(group);
      return formula;
    }
    if (record.rule !== undefined)
      return vocabulary.unknown(
        `rule of ${record.id}: ${record.rule}`,
        `the rule of ${nameOf(group)} can't be read`,
      );
    const people = record.members.filter((id) => this.memberships.group(id) === undefined);
    const foreign = people.filter((id) => id.startsWith('group:'));
    const others = vocabulary.values(`${memberPrefix}${record.id}`, [false, true]);
    return formulas.or([
      this.#isOneOf(people.filter((id) => !id.startsWith('group:'))),
      ...foreign.map((id) => this.#foreign(id)),
      ...(mayHoldAnybody(record) ? [vocabulary.isValue(others, true)] : []),
    ]);
  }

  #isOneOf(ids: readonly string[]): Formula {
    const { vocabulary } = this.prover;
    const own = vocabulary.text('user.objectId');
    return vocabulary.formulas.or(
      ids.map((id) => {
        const personIndex = this.memberships.personIndexOf(id.toLowerCase());
        const known = personIndex === undefined ? id : this.memberships.person(personIndex).id;
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

/** Whether the members of a group are no part of the configuration: anybody may become one. */
export function mayHoldAnybody({ declared, membersElsewhere }: GroupRecord): boolean {
  return declared === undefined || membersElsewhere === true;
}

/**
 * A path for each part of apps that needs something else: `/` for what has no requirement, or a path
 * below it where `/` itself is excluded from sign-in.
 */
export function pathClasses(apps: readonly (AppAccess | undefined)[]): readonly string[] {
  const required = apps.flatMap((app) => app?.settings?.requirements ?? []);
  const excluded = apps.flatMap((app) => app?.settings?.excludedPaths ?? []);
  const paths = required.map(({ path }) => path);
  const whole = excluded.includes('/') ? pathOutside([...excluded, ...paths]) : '/';
  return [...new Set([whole, ...paths.map((path) => (path === '' ? whole : path))])];
}

/** The name of a group in sentences. */
export function nameOf({ record }: Group): string {
  return record.declared ?? record.displayName;
}

function isEmpty(list: readonly unknown[] | undefined): boolean {
  return list === undefined || list.length === 0;
}
