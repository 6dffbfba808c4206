import type { Finding } from '../../core/findings/finding.js';
import { fingerprintOf } from '../../core/findings/fingerprint.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { accessRules } from '../../policies/rules/access/index.js';
import { applyPolicy } from '../../policies/check/policy/applied-policy.js';
import type { LoadedPolicy } from '../../policies/check/policy/load-policy.js';
import { type AccessSubject, accessCatalogueRule } from '../../policies/engine/access-rule.js';
import { makeFinding } from '../../policies/engine/finding-maker.js';
import type { LoadedStack } from '../../policies/model/loaded-stack.js';
import type { ChangeProof } from '../prove/proof.js';
import { describeDirection } from '../prove/proof-text.js';
import { answerRequest } from '../decide/request-answer.js';
import { groupsOfPerson, groupsWithUnknownMembers, simulateSignIn } from '../decide/sign-in.js';
import type { AccessModel } from '../model.js';
import type { AppAccess } from '../stack/apps.js';
import type { AppChange } from './compare.js';
import { controllerChanges } from './controller-changes.js';

/** The inputs of the access rules. */
export interface AccessFindingsOptions {
  /** The model after the change. */
  readonly head: AccessModel;
  /** The model before the change. */
  readonly base: AccessModel;
  /** The policy (castellan.policy.yaml) that judges the change. */
  readonly policy: LoadedPolicy;
  readonly stacks: readonly LoadedStack[];
  /** The requested environment; undefined for the one without an overlay. */
  readonly environment: string | undefined;
  readonly proofs: ReadonlyMap<AppChange, ChangeProof>;
}

/** The findings of the access rules about a change, located at the app in the configuration. */
export function accessFindings(
  changes: readonly AppChange[],
  { head, base, policy, stacks, environment = defaultEnvironment, proofs }: AccessFindingsOptions,
): Finding[] {
  const catalogue = accessRules.map(accessCatalogueRule);
  return changes.flatMap((change): Finding[] => {
    const stack = stacks.find(({ config }) => config.stack === change.stack);
    if (change.appAfter === undefined || stack === undefined) return [];
    const subject = subjectOf(change, change.appAfter, head, base, proofs.get(change));
    const appliedPolicy = applyPolicy(policy.config, catalogue, {
      stack: change.stack,
      environment,
    });
    const path = ['containerApps', change.name];
    const location = stack.locate(path, 'key');
    const origin = location === undefined ? {} : { location };
    return accessRules.flatMap((rule) => {
      const findings: Finding[] = [];
      const options = appliedPolicy.ruleOptions[rule.id] ?? {};
      const [entry] = catalogue.filter(({ id }) => id === rule.id);
      if (entry !== undefined)
        rule.check(subject, options, (report) => {
          const finding = makeFinding(
            entry,
            { at: 'key', ...report },
            { path, origin },
            (findingPath, part) => stack.locate(findingPath, part),
          );
          // the baseline, and a suppression with a fingerprint, accept only this message: the next
          // change lets in other people. A comment accepts whatever the rule reports at its line.
          const fingerprint = fingerprintOf(rule.id, [...path, finding.message]);
          const ratedFinding = appliedPolicy.applySeverity({
            ...finding,
            fingerprint,
            stack: change.stack,
            change: 'new',
          });
          if (ratedFinding !== undefined) findings.push(ratedFinding);
        });
      return findings;
    });
  });
}

function subjectOf(
  change: AppChange,
  app: AppAccess,
  head: AccessModel,
  base: AccessModel,
  proof: ChangeProof | undefined,
): AccessSubject {
  const guests = [...change.gained].filter(
    (personIndex) => head.memberships.person(personIndex).body.userType === 'Guest',
  ).length;
  const why = (which: 'gained' | 'lost'): string =>
    change.reasons.find((reason) => reason.direction === which)?.why ?? '';
  const changeProof =
    proof === undefined || change.appBefore === undefined
      ? undefined
      : {
          gain: { verdict: proof.gain.verdict, ...describeDirection(proof.gain) },
          loss: { verdict: proof.loss.verdict, ...describeDirection(proof.loss) },
          isClosed: proof.isClosed,
        };
  return {
    app: app.name,
    gainedCount: change.gained.count,
    gainedGuestCount: guests,
    lostCount: change.lost.count,
    countAfter: (change.keptCount ?? 1) + change.gained.count,
    gainedPublicPaths: change.publicGained,
    openedProviders: change.outsideAccessGained.map(({ provider, source, isRepointed }) =>
      isRepointed ? `${provider} (now ${source})` : provider,
    ),
    whyGained: why('gained'),
    whyLost: why('lost'),
    selfService: controllerChanges(change, { head, base }).gained.filter(
      ({ personIndex, isUnknownUser, who }) =>
        who === 'everyone' || isUnknownUser || isRefused(personIndex, app, head),
    ),
    unknownCount: change.unknownCount,
    ...omitUndefined({ changeProof }),
  };
}

/** Whether a person of the directory is refused at present. */
function isRefused(
  personIndex: number | undefined,
  app: AppAccess,
  { memberships }: AccessModel,
): boolean {
  if (personIndex === undefined || app.directorySignIn === undefined) return false;
  const outcome = simulateSignIn(
    app.directorySignIn,
    memberships.person(personIndex),
    groupsOfPerson(personIndex, memberships),
    groupsWithUnknownMembers(app.directorySignIn, memberships),
  );
  return (
    outcome.noTokenReason !== 'disabled' &&
    outcome.noTokenReason !== 'application-disabled' &&
    answerRequest(app, '/', outcome, memberships).allowed === false
  );
}
