import { compileMembershipRule } from '../../services/directory/membership-rule/index.js';
import { parseTarget, requirementsOf } from '../../services/auth-sidecar/settings.js';
import type { MembershipRule } from '../../kinds/membership-rule/index.js';
import {
  type Formula,
  Prover,
  type Question,
  type Interpretation,
} from '../../kinds/membership-rule/prove/index.js';
import { chainText } from '../answer/text.js';
import { openProviders, publicPaths } from '../answer/overview.js';
import type { Group } from '../directory/group.js';
import { type AccessModel, modelOf } from '../model.js';
import type { AppAccess } from '../stack/apps.js';
import type { Invariant } from '../testing/invariant.js';
import type { ProofExample, ProofOptions } from './change-proof.js';
import { EntryConditions, nameOf } from './entry-conditions.js';
import {
  decide,
  directoryOf,
  examplePerson,
  type ExamplePerson,
  withoutRedundantAttributes,
} from './example-person.js';
import { isPublic, publicPathWithin } from './public-paths.js';
import { exampleText } from './proof-text.js';

/** How an invariant fails; undefined where it holds. */
export interface InvariantViolation {
  readonly verdict: 'fail' | 'unknown';
  readonly message: string;
  readonly chain?: string;
  /** Somebody for whom it does not hold. */
  readonly example?: ProofExample;
}

/** An invariant with its apps and groups found. */
export interface FoundInvariant {
  readonly invariant: Invariant;
  readonly app?: AppAccess;
  readonly groups: readonly Group[];
}

/** Proves an invariant for all possible people, or finds somebody for whom it does not hold. */
export function findViolation(
  found: FoundInvariant,
  model: AccessModel,
  assumed: readonly MembershipRule[],
  options: ProofOptions,
): InvariantViolation | undefined {
  const { invariant, app } = found;
  switch (invariant.kind) {
    case 'private':
      return app && judgePrivate(app, invariant.path);
    case 'requires':
      return app && judgeRequires(app, invariant.path, invariant.acrValues);
    default:
      return new Invariants(model, assumed, options).judge(found);
  }
}

function judgePrivate(app: AppAccess, path: string): InvariantViolation | undefined {
  const open = publicPathWithin(app, path);
  if (open === undefined) return undefined;
  return {
    verdict: 'fail',
    message: `a browser without a session reaches ${open} of ${app.name}`,
    example: { attributes: {}, path: open },
  };
}

function judgeRequires(
  app: AppAccess,
  path: string,
  acrValues: readonly string[],
): InvariantViolation | undefined {
  const open = judgePrivate(app, path);
  if (open !== undefined) return open;
  const requirements = app.settings?.requirements ?? [];
  const below = requirements.map((each) => each.path).filter((each) => each.startsWith(`${path}/`));
  const weak = [path, ...below].find((each) => {
    const asked = requirementsOf(parseTarget(each), requirements);
    const isStrong = asked.some(
      (one) => one.acrValues.length > 0 && one.acrValues.every((acr) => acrValues.includes(acr)),
    );
    return !isStrong;
  });
  return weak === undefined
    ? undefined
    : {
        verdict: 'fail',
        message: `${weak} of ${app.name} does not ask for ${acrValues.join(' or ')}`,
        example: { attributes: {}, path: weak },
      };
}

/** Questions about the doors and groups of one model. */
class Invariants {
  readonly #prover: Prover;
  readonly #doors: EntryConditions;

  constructor(
    private readonly model: AccessModel,
    private readonly assumed: readonly MembershipRule[],
    private readonly options: ProofOptions,
  ) {
    this.#prover = new Prover(options);
    this.#doors = new EntryConditions(this.#prover, model.memberships);
  }

  judge({ invariant, app, groups }: FoundInvariant): InvariantViolation | undefined {
    const { formulas } = this.#prover.vocabulary;
    switch (invariant.kind) {
      case 'never':
      case 'only': {
        if (app === undefined) return undefined;
        const isNever = invariant.kind === 'never';
        const { rule, path } = invariant;
        if (path !== undefined && isPublic(app, path))
          return {
            verdict: 'fail',
            message: `a browser without a session reaches ${path} of ${app.name}`,
            example: { attributes: {}, path },
          };
        const outside = isNever ? undefined : accountsElsewhere(app, path);
        if (outside !== undefined) return outside;
        return this.#ask(
          (reading) => {
            const fulfils = this.#prover.rule(rule, reading);
            return formulas.and([
              this.#doors.app(app, reading, path),
              isNever ? fulfils : formulas.not(fulfils),
            ]);
          },
          (person) => this.#gets(app, person, path) && this.#fulfils(rule, person) === isNever,
          (who) =>
            isNever ? `${app.name} lets in ${who}` : `${app.name} lets in others, too: ${who}`,
          app,
          path,
        );
      }
      case 'equivalent': {
        const [group] = groups;
        if (group === undefined) return undefined;
        const { rule } = invariant;
        return this.#ask(
          (reading) =>
            xor(formulas, this.#doors.inside(group, reading), this.#prover.rule(rule, reading)),
          (person) => this.#isInside(group, person) !== this.#fulfils(rule, person),
          (who, person) =>
            this.#isInside(group, person)
              ? `${nameOf(group)} holds ${who}, whom the rule does not select`
              : `${nameOf(group)} does not hold ${who}, whom the rule selects`,
        );
      }
      case 'within': {
        const [inner, outer] = groups;
        if (inner === undefined || outer === undefined) return undefined;
        return this.#ask(
          (reading) =>
            formulas.and([
              this.#doors.inside(inner, reading),
              formulas.not(this.#doors.inside(outer, reading)),
            ]),
          (person) => this.#isInside(inner, person) && !this.#isInside(outer, person),
          (who) => `${nameOf(inner)} can hold ${who}, who is not in ${nameOf(outer)}`,
        );
      }
      case 'disjoint':
        return this.#disjoint(groups);
      default:
        return undefined;
    }
  }

  #disjoint(groups: readonly Group[]): InvariantViolation | undefined {
    const { formulas } = this.#prover.vocabulary;
    let unknown: InvariantViolation | undefined;
    for (const [at, one] of groups.entries())
      for (const other of groups.slice(at + 1)) {
        const broken = this.#ask(
          (reading) =>
            formulas.and([this.#doors.inside(one, reading), this.#doors.inside(other, reading)]),
          (person) => this.#isInside(one, person) && this.#isInside(other, person),
          (who) => `${nameOf(one)} and ${nameOf(other)} can both hold ${who}`,
        );
        if (broken?.verdict === 'fail') return broken;
        unknown ??= broken;
      }
    return unknown;
  }

  #ask(
    formula: Question['formula'],
    isBroken: (person: ExamplePerson) => boolean,
    message: (who: string, person: ExamplePerson) => string,
    app?: AppAccess,
    path?: string,
  ): InvariantViolation | undefined {
    const { formulas } = this.#prover.vocabulary;
    const bounds = this.assumed.map(({ text }) => text).join('; ');
    const assuming = bounds === '' ? '' : ` (assuming ${bounds})`;
    const isOne = (person: ExamplePerson): boolean =>
      this.assumed.every((rule) => this.#fulfils(rule, person)) && isBroken(person);
    const { verdict, values, why } = this.#prover.ask({
      formula: (reading: Interpretation): Formula =>
        formulas.and([
          ...this.assumed.map((rule) => this.#prover.rule(rule, reading)),
          formula(reading),
        ]),
      replay: (each) => isOne(examplePerson(each)),
    });
    if (verdict === 'none') return undefined;
    if (values === undefined)
      return { verdict: 'unknown', message: `it can't be proved: ${why.join('; ')}${assuming}` };
    const person = withoutRedundantAttributes(examplePerson(values), isOne);
    const example = {
      attributes: person.attributes,
      ...(path === undefined ? {} : { path, signedIn: true as const }),
      ...(person.groups.length === 0 ? {} : { groups: person.groups.map((id) => this.#named(id)) }),
    };
    const seen = app && decide(app, this.model, person, this.options.now, path).visit;
    return {
      verdict: 'fail',
      message: `${message(exampleText(example), person)}${assuming}`,
      example,
      ...(seen === undefined ? {} : { chain: chainText(seen.chain) }),
    };
  }

  #named(id: string): string {
    const group = this.model.memberships.group(id);
    return group === undefined ? id : nameOf(group);
  }

  #gets(app: AppAccess, person: ExamplePerson, path?: string): boolean {
    return decide(app, this.model, person, this.options.now, path).outcome === 'in';
  }

  #only(person: ExamplePerson): AccessModel {
    return modelOf([], directoryOf(this.model.directory, person), this.options);
  }

  #isInside({ record }: Group, person: ExamplePerson): boolean {
    const { memberships } = this.#only(person);
    const group = memberships.group(record.id);
    return group !== undefined && memberships.allMembers(group).has(0);
  }

  #fulfils(rule: MembershipRule, person: ExamplePerson): boolean {
    const { memberships } = this.#only(person);
    const compiled = compileMembershipRule(rule);
    const somebody = memberships.person(0);
    return compiled.matches(somebody, memberships.ruleContext(compiled, somebody));
  }
}

/** Accounts that are not of the directory, so that no rule selects them. */
function accountsElsewhere(app: AppAccess, path?: string): InvariantViolation | undefined {
  if (path === undefined && publicPaths(app).includes('/*'))
    return {
      verdict: 'fail',
      message: `${app.name} lets in a browser without a session`,
      example: { attributes: {}, path: '/' },
    };
  const [provider] = openProviders(app).filter((each) => each !== 'directory');
  if (provider === undefined) return undefined;
  const required = requirementsOf(parseTarget(path ?? '/'), app.settings?.requirements ?? []);
  const isLimited = required.some(
    ({ groups, claims, emailDomains }) =>
      groups.length + Object.keys(claims).length + emailDomains.length > 0,
  );
  return isLimited
    ? {
        verdict: 'unknown',
        message: `which accounts at ${provider} have what ${path ?? '/'} of ${app.name} requires is not known`,
      }
    : {
        verdict: 'fail',
        message: `${app.name} lets in anyone with an account at ${provider}`,
        example: { attributes: { provider } },
      };
}

function xor(formulas: Prover['vocabulary']['formulas'], one: Formula, other: Formula): Formula {
  return formulas.or([
    formulas.and([one, formulas.not(other)]),
    formulas.and([other, formulas.not(one)]),
  ]);
}
