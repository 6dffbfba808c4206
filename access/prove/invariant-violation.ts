import { compileMembershipRule } from '../../services/directory/membership-rule/index.js';
import type { MembershipRule } from '../../kinds/membership-rule/index.js';
import {
  type Formula,
  Prover,
  type Question,
  type Interpretation,
  type Values,
} from '../../kinds/membership-rule/prove/index.js';
import type { ChainLink } from '../answer/chain-link.js';
import { memberLinks } from '../answer/membership-links.js';
import { chainText } from '../answer/report.js';
import { groupsOfPerson } from '../decide/sign-in.js';
import { type Group, groupNameOf } from '../directory/group.js';
import { type AccessModel, modelOfApps } from '../model.js';
import type { AppAccess } from '../stack/apps.js';
import type { Invariant } from '../testing/invariant.js';
import { AccessFormulas } from './access-formulas.js';
import {
  directoryWithOnly,
  proofExample,
  examplePerson,
  type ExamplePerson,
  withoutRedundantAttributes,
} from './example-person.js';
import {
  checkOutsideAccounts,
  type InvariantViolation,
  checkPrivatePath,
  checkRequiredContexts,
} from './path-invariant.js';
import { isPublic } from '../decide/public-paths.js';
import type { ProofOptions } from './proof.js';
import { exampleText } from './proof-text.js';
import { replayDecision } from './replay.js';

/** An invariant with its apps and groups resolved. */
export interface ResolvedInvariant {
  readonly invariant: Invariant;
  /** Undefined where the invariant is about groups only. */
  readonly app?: AppAccess;
  /** The groups that the invariant names, in that order; empty where it is about an app. */
  readonly groups: readonly Group[];
}

/** Proves an invariant for all possible people, or finds somebody for whom it does not hold. */
export function findViolation(
  resolved: ResolvedInvariant,
  model: AccessModel,
  assumptions: readonly MembershipRule[],
  options: ProofOptions,
): InvariantViolation | undefined {
  const { invariant, app } = resolved;
  switch (invariant.kind) {
    case 'private':
      return app && checkPrivatePath(app, invariant.path);
    case 'requires':
      return app && checkRequiredContexts(app, invariant.path, invariant.acrValues);
    default:
      return new InvariantProver(model, assumptions, options).findViolation(resolved);
  }
}

/** Proves invariants about the apps and groups of one model. */
class InvariantProver {
  readonly #prover: Prover;
  readonly #accessFormulas: AccessFormulas;

  constructor(
    private readonly model: AccessModel,
    private readonly assumptions: readonly MembershipRule[],
    private readonly options: ProofOptions,
  ) {
    this.#prover = new Prover(options);
    this.#accessFormulas = new AccessFormulas(this.#prover, model.memberships);
  }

  findViolation({ invariant, app, groups }: ResolvedInvariant): InvariantViolation | undefined {
    const { formulas } = this.#prover.atoms;
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
        const outsideViolation = isNever ? undefined : checkOutsideAccounts(app, path);
        if (outsideViolation?.verdict === 'fail') return outsideViolation;
        const violation = this.#findCounterexample(
          (interpretation) => {
            const fulfils = this.#prover.ruleFormula(rule, interpretation);
            return formulas.and([
              this.#accessFormulas.admissionFormula(app, interpretation, path),
              isNever ? fulfils : formulas.not(fulfils),
            ]);
          },
          (person) => this.#getsIn(app, person, path) && this.#fulfils(rule, person) === isNever,
          (who) =>
            isNever ? `${app.name} lets in ${who}` : `${app.name} lets in others, too: ${who}`,
          { app, path },
        );
        return violation?.verdict === 'fail' ? violation : (outsideViolation ?? violation);
      }
      case 'equivalent': {
        const [group] = groups;
        if (group === undefined) return undefined;
        const { rule } = invariant;
        return this.#findCounterexample(
          (interpretation) =>
            xor(
              formulas,
              this.#accessFormulas.groups.memberOf(group, interpretation),
              this.#prover.ruleFormula(rule, interpretation),
            ),
          (person) => this.#isMember(group, person) !== this.#fulfils(rule, person),
          (who, person) =>
            this.#isMember(group, person)
              ? `${groupNameOf(group)} holds ${who}, whom the rule does not select`
              : `${groupNameOf(group)} does not hold ${who}, whom the rule selects`,
          { groups },
        );
      }
      case 'within': {
        const [inner, outer] = groups;
        if (inner === undefined || outer === undefined) return undefined;
        return this.#findCounterexample(
          (interpretation) =>
            formulas.and([
              this.#accessFormulas.groups.memberOf(inner, interpretation),
              formulas.not(this.#accessFormulas.groups.memberOf(outer, interpretation)),
            ]),
          (person) => this.#isMember(inner, person) && !this.#isMember(outer, person),
          (who) => `${groupNameOf(inner)} can hold ${who}, who is not in ${groupNameOf(outer)}`,
          { groups: [inner] },
        );
      }
      case 'disjoint':
        return this.#findSharedMember(groups);
      default:
        return undefined;
    }
  }

  #findSharedMember(groups: readonly Group[]): InvariantViolation | undefined {
    const { formulas } = this.#prover.atoms;
    let unknown: InvariantViolation | undefined;
    for (const [index, first] of groups.entries())
      for (const second of groups.slice(index + 1)) {
        const violation = this.#findCounterexample(
          (interpretation) =>
            formulas.and([
              this.#accessFormulas.groups.memberOf(first, interpretation),
              this.#accessFormulas.groups.memberOf(second, interpretation),
            ]),
          (person) => this.#isMember(first, person) && this.#isMember(second, person),
          (who) => `${groupNameOf(first)} and ${groupNameOf(second)} can both hold ${who}`,
          { groups: [first, second] },
        );
        if (violation?.verdict === 'fail') return violation;
        unknown ??= violation;
      }
    return unknown;
  }

  #findCounterexample(
    formula: Question['formula'],
    violates: (person: ExamplePerson) => boolean,
    message: (who: string, person: ExamplePerson) => string,
    {
      app,
      path,
      groups = [],
    }: { readonly app?: AppAccess; readonly path?: string; readonly groups?: readonly Group[] },
  ): InvariantViolation | undefined {
    const { formulas } = this.#prover.atoms;
    const assumptionsText = this.assumptions.map(({ text }) => text).join('; ');
    const assuming = assumptionsText === '' ? '' : ` (assuming ${assumptionsText})`;
    const isCounterexample = (person: ExamplePerson): boolean =>
      this.assumptions.every((rule) => this.#fulfils(rule, person)) && violates(person);
    const { verdict, values, why } = this.#prover.decide({
      formula: (interpretation: Interpretation): Formula =>
        formulas.and([
          ...this.assumptions.map((rule) => this.#prover.ruleFormula(rule, interpretation)),
          formula(interpretation),
        ]),
      confirms: (each) => isCounterexample(examplePerson(each)),
    });
    if (verdict === 'none') return undefined;
    const reasons = values === undefined ? why : this.#undecidedReasons(values);
    if (values === undefined || reasons.length > 0)
      return {
        verdict: 'unknown',
        message: `it can't be proved: ${reasons.join('; ')}${assuming}`,
      };
    const person = withoutRedundantAttributes(examplePerson(values), isCounterexample, values);
    const example = {
      ...proofExample(person, this.model, app),
      ...(path !== undefined && { path, signedIn: true as const }),
    };
    const chain =
      app === undefined
        ? groups.flatMap((group) => this.#memberLinks(group, person))
        : replayDecision(app, this.model, person, this.options.now, path).visit.chain;
    return {
      verdict: 'fail',
      message: `${message(exampleText(example), person)}${assuming}`,
      example,
      ...(chain.length > 0 && { chain: chainText(chain) }),
    };
  }

  /**
   * Why a replay with these values does not make somebody a counterexample: it takes groups whose
   * members are unknown for empty. Undecidable conditions about a text, however, it decides.
   */
  #undecidedReasons(values: Values): readonly string[] {
    const { undecidable, comparedTextOfStandIn } = this.#prover.atoms;
    return [...values.keys()].flatMap((each) =>
      comparedTextOfStandIn.has(each) ? [] : (undecidable.get(each) ?? []),
    );
  }

  #getsIn(app: AppAccess, person: ExamplePerson, path?: string): boolean {
    return replayDecision(app, this.model, person, this.options.now, path).outcome === 'in';
  }

  #modelOfOnly(person: ExamplePerson): AccessModel {
    return modelOfApps([], directoryWithOnly(this.model.directory, person), this.options);
  }

  /** How somebody is in a group; empty for who isn't. */
  #memberLinks({ record }: Group, person: ExamplePerson): readonly ChainLink[] {
    const { memberships } = this.#modelOfOnly(person);
    const group = memberships.group(record.id);
    if (group === undefined || !memberships.allMembers(group).has(0)) return [];
    return memberLinks(group, memberships.person(0), groupsOfPerson(0, memberships), memberships);
  }

  #isMember({ record }: Group, person: ExamplePerson): boolean {
    const { memberships } = this.#modelOfOnly(person);
    const group = memberships.group(record.id);
    return group !== undefined && memberships.allMembers(group).has(0);
  }

  #fulfils(rule: MembershipRule, person: ExamplePerson): boolean {
    const { memberships } = this.#modelOfOnly(person);
    const compiled = compileMembershipRule(rule);
    const somebody = memberships.person(0);
    return compiled.matches(somebody, memberships.ruleContext(compiled, somebody));
  }
}

function xor(formulas: Prover['atoms']['formulas'], left: Formula, right: Formula): Formula {
  return formulas.or([
    formulas.and([left, formulas.not(right)]),
    formulas.and([right, formulas.not(left)]),
  ]);
}
