import { omitUndefined } from '../../core/values/omit-undefined.js';
import {
  type Formula,
  Prover,
  type Interpretation,
} from '../../kinds/membership-rule/prove/index.js';
import { providersOpenToAnyone } from '../answer/overview.js';
import type { AppChange } from '../compare/compare.js';
import {
  isPublic,
  isReachedFromFarther,
  firstPublicPathOnlyIn,
  publicPaths,
} from '../decide/public-paths.js';
import type { AccessModel } from '../model.js';
import type { AppAccess } from '../stack/apps.js';
import { AccessFormulas } from './access-formulas.js';
import {
  proofExample,
  examplePerson,
  type ExamplePerson,
  withoutRedundantAttributes,
} from './example-person.js';
import { nearestPerson } from './nearest-person.js';
import { proveOutsideDirectory } from './outside-directory.js';
import { samplePaths, unsharedExcludedPath } from './app-paths.js';
import type { ChangeProof, ProofOptions, DirectionProof } from './proof.js';
import { describeAdmission, decidingLinksText } from './deciding-links.js';
import { type Decision, replayDecision } from './replay.js';

/** One side of a change: an app before or after it, and the model that it is part of. */
interface Side {
  /** Undefined where this side does not have the app. */
  readonly app: AppAccess | undefined;
  readonly model: AccessModel;
  /** The formulas of who gets into the apps of this side. */
  readonly accessFormulas: AccessFormulas;
}

/** Proves for all possible people what a change does to who gets into the apps. */
export function proveChanges(
  changes: readonly AppChange[],
  head: AccessModel,
  base: AccessModel,
  options: ProofOptions,
): ReadonlyMap<AppChange, ChangeProof> {
  const prover = new Prover(options);
  const accessFormulas = {
    head: new AccessFormulas(prover, head.memberships),
    base: new AccessFormulas(prover, base.memberships),
  };
  return new Map(
    changes.map((change) => {
      const after = { app: change.appAfter, model: head, accessFormulas: accessFormulas.head };
      const before = { app: change.appBefore, model: base, accessFormulas: accessFormulas.base };
      const gain = proveDirection(prover, after, before, options, 'now');
      const loss = proveDirection(prover, before, after, options, 'before');
      // where somebody new gets in, or nobody loses access, the app isn't closed: the proof, which
      // takes time, is not needed
      const canBeClosed = gain.verdict !== 'new' && loss.verdict !== 'none';
      return [change, { gain, loss, isClosed: canBeClosed && isClosed(prover, after, before) }];
    }),
  );
}

/**
 * Whether somebody gets in on one side of a change and not on the other.
 *
 * @param admittingSide the side on which somebody gets in.
 */
function proveDirection(
  prover: Prover,
  admittingSide: Side,
  otherSide: Side,
  options: ProofOptions,
  when: 'now' | 'before',
): DirectionProof {
  const { app } = admittingSide;
  if (app === undefined) return { verdict: 'none' };
  const isReachWidened = otherSide.app !== undefined && isReachedFromFarther(app, otherSide.app);
  // whoever is outside of the app's environment reached nothing of it on the other side
  const comparedSide = isReachWidened ? { ...otherSide, app: undefined } : otherSide;
  const directoryProof = proveByPath(prover, admittingSide, comparedSide, options, when);
  const widenedReach = isReachWidened ? 'it is reachable from outside its environment' : undefined;
  if (directoryProof.verdict === 'new')
    return { ...directoryProof, ...omitUndefined({ admittedBy: widenedReach }) };
  const path = firstPublicPathOnlyIn(app, comparedSide.app);
  if (path !== undefined)
    return {
      verdict: 'new',
      example: { attributes: {}, path },
      reasons: [`${when}: a browser without a session reaches ${path}`],
      admittedBy: widenedReach ?? 'excluded from sign-in',
    };
  const outsideProof = proveOutsideDirectory(app, comparedSide.app, when);
  const outweighsDirectoryProof =
    outsideProof.verdict === 'new' || directoryProof.example === undefined;
  if (outsideProof.verdict !== 'none' && outweighsDirectoryProof) return outsideProof;
  const undocumentedPath =
    options.target === 'azure' ? unsharedExcludedPath(app, comparedSide.app) : undefined;
  if (undocumentedPath === undefined || directoryProof.verdict === 'unknown') return directoryProof;
  return {
    verdict: 'unknown',
    example: { attributes: {}, path: undocumentedPath },
    reasons: [
      `how the cloud reads excluded paths is not documented: ${when} ${undocumentedPath} may be public`,
    ],
  };
}

/** What the change does at each path with a requirement of its own, and altogether. */
function proveByPath(
  prover: Prover,
  admittingSide: Side,
  otherSide: Side,
  options: ProofOptions,
  when: 'now' | 'before',
): DirectionProof {
  const comparedPaths = samplePaths([admittingSide.app, otherSide.app]);
  const proofs = comparedPaths.map((path): DirectionProof => {
    // `proveDirection` compares what browsers without a session reach
    const isPublicOnOneSide = [admittingSide.app, otherSide.app].some(
      (app) => app !== undefined && isPublic(app, path),
    );
    if (isPublicOnOneSide) return { verdict: 'none' };
    return proveDirectory(prover, admittingSide, otherSide, { ...options, path }, when);
  });
  const [only] = proofs;
  if (comparedPaths.length === 1 && only !== undefined) return only;
  const decisiveProof =
    proofs.find(({ verdict }) => verdict === 'new') ??
    proofs.find(({ verdict }) => verdict === 'unknown');
  const paths = proofs.map(({ admittedBy: _by, ...proof }, index) => ({
    path: comparedPaths[index] ?? '/',
    ...proof,
  }));
  return { ...(decisiveProof ?? { verdict: 'none' }), paths };
}

/** Whether somebody of the directory gets in at a path on one side and not on the other. */
function proveDirectory(
  prover: Prover,
  admittingSide: Side,
  otherSide: Side,
  { now, path }: ProofOptions & { readonly path: string },
  when: 'now' | 'before',
): DirectionProof {
  const { app } = admittingSide;
  if (app === undefined) return { verdict: 'none' };
  const { formulas } = prover.atoms;
  const otherTime = when === 'now' ? 'before' : 'now';
  const formula = (interpretation: Interpretation): Formula =>
    formulas.and([
      admittingSide.accessFormulas.admissionFormula(app, interpretation, path),
      otherSide.app === undefined
        ? formulas.true
        : formulas.not(
            otherSide.accessFormulas.admissionFormula(otherSide.app, interpretation, path),
          ),
    ]);
  const replay = cachedReplay(app, admittingSide.model, now, path);
  const replayOtherSide =
    otherSide.app === undefined
      ? undefined
      : cachedReplay(otherSide.app, otherSide.model, now, path);
  // whether the person gets in on the admitting side and not on the other one
  const differs = (person: ExamplePerson): boolean =>
    replay(person).outcome === 'in' && replayOtherSide?.(person).outcome !== 'in';
  const certainlyDiffers = (person: ExamplePerson): boolean =>
    differs(person) && replayOtherSide?.(person).outcome !== 'unknown';
  const answer = prover.decide({ formula, confirms: (values) => differs(examplePerson(values)) });
  if (answer.values === undefined)
    return answer.verdict === 'none'
      ? { verdict: 'none' }
      : { verdict: 'unknown', reasons: answer.why };
  const candidate = examplePerson(answer.values);
  const isExample = certainlyDiffers(candidate) ? certainlyDiffers : differs;
  const person =
    nearestPerson(formula, prover, admittingSide.model, isExample) ??
    withoutRedundantAttributes(candidate, isExample, answer.values);
  const { visit } = replay(person);
  const isCertain = answer.verdict === 'some';
  const reasons = [
    ...(isCertain ? [] : answer.why),
    `${when}: ${decidingLinksText(visit)}`,
    ...(replayOtherSide === undefined
      ? []
      : [`${otherTime}: ${decidingLinksText(replayOtherSide(person).visit)}`]),
    ...(isCertain ? answer.why : []),
  ];
  return {
    verdict: isCertain ? 'new' : 'unknown',
    example: {
      ...proofExample(person, admittingSide.model, app),
      ...(path !== '/' && { path, signedIn: true }),
    },
    reasons,
    admittedBy: describeAdmission(visit),
  };
}

/** Decides about people at a path, and about the same person only once. */
function cachedReplay(
  app: AppAccess,
  model: AccessModel,
  now: number,
  path: string,
): (person: ExamplePerson) => Decision {
  const decisions = new WeakMap<ExamplePerson, Decision>();
  return (person) => {
    const decision = decisions.get(person) ?? replayDecision(app, model, person, now, path);
    decisions.set(person, decision);
    return decision;
  };
}

/** Whether somebody got in before the change, and nobody can after it. */
function isClosed(prover: Prover, after: Side, before: Side): boolean {
  const { app } = after;
  if (app === undefined || before.app === undefined) return false;
  const needsNoDirectory = (each: AppAccess): boolean =>
    publicPaths(each).length > 0 || providersOpenToAnyone(each).length > 0;
  if (needsNoDirectory(app) || needsNoDirectory(before.app)) return false;
  const admissionVerdict = ({ accessFormulas }: Side, each: AppAccess): string =>
    prover.decide({
      formula: (interpretation) => accessFormulas.admissionFormula(each, interpretation),
      confirms: () => true,
    }).verdict;
  return admissionVerdict(after, app) === 'none' && admissionVerdict(before, before.app) === 'some';
}
