import type { Formula, Prover, Interpretation } from '../../kinds/membership-rule/prove/index.js';
import { parseTarget, requirementsOf } from '../../services/auth-sidecar/access-decisions.js';
import { groupsOfPerson } from '../decide/sign-in.js';
import { type Group, groupNameOf } from '../directory/group.js';
import type { Memberships } from '../directory/memberships.js';
import { maxGroupsInToken } from '../token-claims.js';
import type { AppAccess, DirectorySignIn, SignInApplication } from '../stack/apps.js';
import { MembershipFormulas } from './membership-formulas.js';
import { isPublic, requestPathOf } from '../decide/public-paths.js';
import { samplePaths } from './app-paths.js';

/** Begins the name of the attribute that says whether somebody has a role of an application. */
export const assignedPrefix = 'assigned to ';

// which groups tokens list: values of groupMembershipClaims, a list with commas
const listsAllGroups = /(?:^|,)\s*all\s*(?:,|$)/i;
const listsAssignedGroups = /(?:^|,)\s*applicationgroup\s*(?:,|$)/i;
const listsSecurityGroups = /(?:^|,)\s*securitygroup\s*(?:,|$)/i;

/**
 * When an app lets a person of the directory in: formulas over the person's attributes and groups.
 */
export class AccessFormulas {
  readonly groups: MembershipFormulas;
  readonly #cachedFormulas = new Map<
    AppAccess,
    { interpretation: Interpretation; path?: string; formula: Formula }[]
  >();

  constructor(
    private readonly prover: Prover,
    private readonly memberships: Memberships,
  ) {
    this.groups = new MembershipFormulas(prover, memberships);
  }

  /**
   * Whether an app lets somebody in, at a path.
   *
   * @param interpretation how the membership rules of groups are read
   * @param path any path of it, if absent
   */
  admissionFormula(app: AppAccess, interpretation: Interpretation, path?: string): Formula {
    const cached = this.#cachedFormulas.get(app) ?? [];
    this.#cachedFormulas.set(app, cached);
    const cachedEntry = cached.find(
      (each) => each.interpretation === interpretation && each.path === path,
    );
    if (cachedEntry !== undefined) return cachedEntry.formula;
    const formula = this.#accessFormula(app, interpretation, path);
    cached.push({ interpretation, formula, ...(path !== undefined && { path }) });
    return formula;
  }

  #accessFormula(app: AppAccess, interpretation: Interpretation, path?: string): Formula {
    const { formulas } = this.prover.atoms;
    const paths = path === undefined ? samplePaths([app]) : [path];
    if (paths.some((each) => isPublic(app, each))) return formulas.true;
    const { directorySignIn } = app;
    if (directorySignIn === undefined) return formulas.false;
    return formulas.and([
      this.#hasAcceptedSignIn(directorySignIn, app, interpretation),
      formulas.or(
        paths.map((each) => this.#meetsRequirements(directorySignIn, app, each, interpretation)),
      ),
    ]);
  }

  /** What every path of an app needs: a sign-in that its policy accepts. */
  #hasAcceptedSignIn(
    { settings, application, tenant }: DirectorySignIn,
    app: AppAccess,
    interpretation: Interpretation,
  ): Formula {
    const { atoms } = this.prover;
    const { formulas } = atoms;
    if (typeof tenant === 'object')
      return atoms.undecidableCondition(
        `account at ${tenant.issuer} by ${JSON.stringify([settings.policy, settings.rules, app.settings?.emailDomains, application.assignmentRequired])}`,
        `the people of ${tenant.issuer} are not known`,
        'person',
      );
    if (!application.isEnabled) return formulas.false;
    const { identities, groups, claimGroups, applications, claimApplications } = settings.policy;
    return formulas.and([
      atoms.valueIs(atoms.boolean('user.accountEnabled'), true),
      ...this.#undecidedSettings(app),
      ...(application.assignmentRequired ? [this.#hasRole(application, interpretation)] : []),
      ...[applications, claimApplications]
        .filter((list) => list.length > 0)
        .map((list) => this.#isCaller(list, application)),
      ...(claimGroups.length === 0
        ? []
        : [this.#inOneOf(claimGroups, application, interpretation)]),
      ...(identities.length + groups.length === 0
        ? []
        : [
            formulas.or([
              this.groups.isOneOf(identities),
              this.#inOneOf(groups, application, interpretation),
            ]),
          ]),
    ]);
  }

  /** Whether somebody has a role of an application: assigned to them, or to a group of theirs. */
  #hasRole({ clientId, assignedIds }: SignInApplication, interpretation: Interpretation): Formula {
    const { atoms } = this.prover;
    const isAssigned = atoms.enumerated(`${assignedPrefix}${clientId}`, [false, true]);
    const groups = [...assignedIds].flatMap((id) => this.memberships.group(id) ?? []);
    return atoms.formulas.or([
      atoms.valueIs(isAssigned, true),
      // a group passes its role to its direct members only
      ...groups.map((group) => this.groups.directMemberOf(group, interpretation)),
    ]);
  }

  /** What a path needs beyond a sign-in: the requirements of the paths above it. */
  #meetsRequirements(
    { application }: DirectorySignIn,
    { settings }: AppAccess,
    path: string,
    interpretation: Interpretation,
  ): Formula {
    const { atoms } = this.prover;
    const undecided = (requirement: string): Formula =>
      atoms.undecidableCondition(
        `has ${requirement}`,
        `whether somebody has ${requirement} is not decided for all`,
        'person',
      );
    const requirements = requirementsOf(
      parseTarget(requestPathOf(path)),
      settings?.requirements ?? [],
    );
    return atoms.formulas.and(
      requirements.flatMap(({ groups, claims, emailDomains, acrValues }) => [
        ...(groups.length === 0 ? [] : [this.#inOneOf(groups, application, interpretation)]),
        ...Object.entries(claims).map(([name, values]) =>
          undecided(`the claim ${name} with ${values.join(' or ')}`),
        ),
        ...(emailDomains.length === 0
          ? []
          : [undecided(`a verified address of ${emailDomains.join(' or ')}`)]),
        ...(acrValues.length === 0 ? [] : [undecided(`a sign-in with ${acrValues.join(' or ')}`)]),
      ]),
    );
  }

  /** The settings that two apps are compared by, since they can't be decided for all people. */
  #undecidedSettings({ settings, directorySignIn }: AppAccess): Formula[] {
    const domains = settings?.emailDomains ?? [];
    const rules = directorySignIn?.settings.rules;
    const hasRules =
      rules !== undefined && (rules.groups.length > 0 || Object.keys(rules.claims).length > 0);
    const undecided = (setting: string, value: unknown): Formula =>
      this.prover.atoms.undecidableCondition(
        `${setting} ${JSON.stringify(value)}`,
        `${setting} of the sign-in layer are not decided for all people`,
        'person',
      );
    return [
      ...(domains.length === 0 ? [] : [undecided('the domains of e-mail addresses', domains)]),
      ...(hasRules ? [undecided('the groups and claims that tokens must hold', rules)] : []),
    ];
  }

  /** Whether the app that signs people in is one of those that may call. */
  #isCaller(list: readonly string[], application: SignInApplication): Formula {
    const { formulas } = this.prover.atoms;
    const isListed = list.some((id) => id.toLowerCase() === application.clientId.toLowerCase());
    if (isListed) return formulas.true;
    if (application.isClientIdKnown) return formulas.false;
    return this.prover.atoms.undecidableCondition(
      `client id of ${application.name} in ${list.join()}`,
      `the client id of ${application.name} is known after apply only`,
      'person',
    );
  }

  #inOneOf(
    ids: readonly string[],
    application: SignInApplication,
    interpretation: Interpretation,
  ): Formula {
    return this.prover.atoms.formulas.or(
      ids.map((id) => this.#namedInToken(id, application, interpretation)),
    );
  }

  /** Whether a person's token lists a group. */
  #namedInToken(
    id: string,
    application: SignInApplication,
    interpretation: Interpretation,
  ): Formula {
    const { atoms } = this.prover;
    const { formulas } = atoms;
    const group = this.memberships.group(id);
    if (group === undefined) return this.groups.memberOfUnknown(id);
    const claims = application.groupMembershipClaims;
    const member = formulas.and([
      this.groups.memberOf(group, interpretation),
      ...this.#tokenListsGroups(group, application),
    ]);
    if (claims === undefined)
      return formulas.and([
        member,
        atoms.undecidableCondition(
          `tokens of ${application.name} name groups`,
          `whether tokens of ${application.name} name groups is not known`,
          'directory',
        ),
      ]);
    if (listsAllGroups.test(claims)) return member;
    if (listsSecurityGroups.test(claims) && group.record.securityEnabled) return member;
    if (!listsAssignedGroups.test(claims)) return formulas.false;
    return formulas.and([
      member,
      atoms.undecidableCondition(
        `${groupNameOf(group)} has a role of ${application.name}`,
        `tokens of ${application.name} name a group only if it has a role there`,
        'directory',
      ),
    ]);
  }

  /** Whether tokens list groups at all: those of listed members in too many groups list none. */
  #tokenListsGroups(group: Group, application: SignInApplication): Formula[] {
    const { atoms } = this.prover;
    const { name, mayReadGroups } = application;
    if (mayReadGroups === true || !this.memberships.canBeInMoreGroupsThan(maxGroupsInToken))
      return [];
    const withTooManyGroups = this.memberships
      .groupAndNested(group)
      .flatMap(({ record }) => (record.rule === undefined ? record.members : []))
      .filter((id) => this.#isInTooManyGroups(id, application));
    if (withTooManyGroups.length === 0) return [];
    const isInFewGroups = atoms.formulas.not(this.groups.isOneOf(withTooManyGroups));
    if (mayReadGroups === false) return [isInFewGroups];
    const isLookedUp = atoms.undecidableCondition(
      `${name} may look up groups`,
      `whether ${name} may look up the groups of people is not known`,
      'directory',
    );
    return [atoms.formulas.or([isInFewGroups, isLookedUp])];
  }

  #isInTooManyGroups(id: string, { groupMembershipClaims }: SignInApplication): boolean {
    const personIndex = this.memberships.personIndexOf(id.toLowerCase());
    if (personIndex === undefined) return false;
    const { reachedThrough, unread } = groupsOfPerson(personIndex, this.memberships);
    const claims = groupMembershipClaims ?? 'All';
    const countsAll = listsAllGroups.test(claims) || listsAssignedGroups.test(claims);
    const countedGroups = [...reachedThrough.keys()].filter(
      ({ record }) => countsAll || record.securityEnabled,
    );
    const unreadCount = (countsAll ? unread?.all : unread?.security) ?? 0;
    return countedGroups.length + unreadCount > maxGroupsInToken;
  }
}
