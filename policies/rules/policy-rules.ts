import { defineRule } from '../engine/rule.js';

// Rules about the check itself: its policy, suppressions, baseline, packs and access tests. The
// readers of those report the findings.

export const accessTest = defineRule({
  id: 'access-test',
  title: 'Everyone gets in, or is kept out, as castellan.access-test.yaml expects.',
  why: 'Who gets in follows from groups, rules and settings in many places: what must stay so is written down once, and held at every change.',
  severity: 'error',
  source: 'the access test beside the configuration',
  sections: [],
  messages: { fails: '{reason}' },
});

export const baselineStale = defineRule({
  id: 'baseline-stale',
  title: 'The baseline lists only findings that still occur.',
  why: 'The same mistake could come back unseen.',
  severity: 'error',
  source: 'baselines',
  sections: [],
  messages: {
    stale: 'the finding {given} ({rule} at {path}) is gone: run castellan baseline prune',
  },
});

export const packFailed = defineRule({
  id: 'pack-failed',
  title: 'Your own rules finish without an error.',
  why: 'A rule that did not run finds nothing, which looks like a clean result.',
  severity: 'error',
  source: 'castellan.policy.yaml',
  sections: [],
  messages: { failed: '{given}: {reason}' },
});

export const policyRule = defineRule({
  id: 'policy-rule',
  title:
    'The policy names existing rules with their options, and existing stacks and environments.',
  why: 'A misspelt id, option or name would silently have no effect.',
  severity: 'error',
  source: 'castellan.policy.yaml',
  sections: [],
  messages: {
    noSuchRule: 'there is no rule "{given}"{hint}',
    option: '"{given}" is not an option of {rule}{hint}',
    scope: 'there is no {kind} "{given}"{hint}',
    value: '{option} of {rule} is {given}; allowed: {allowed}',
    locked: '{given} is locked by {by}: this setting has no effect; remove it',
  },
});

export const policyWeakened = defineRule({
  id: 'policy-weakened',
  title: 'A change does not weaken the check that judges it.',
  why: 'A pull request could switch off the rule that it breaks, and no one would see that in the result.',
  severity: 'error',
  source: 'castellan.policy.yaml, suppressions and baselines, compared with those of the base',
  sections: [],
  messages: {
    off: '{given} is switched off{where}; {base} judges this change with {before}',
    severity: '{given} weighs less{where}: {now} instead of {before}; {base} judges this change',
    option:
      'the options of {given} change{where}: {now} instead of {before}; {base} judges this change',
    unlocked: '{given} is no longer locked; {base} judges this change',
    limits:
      'the limits of suppressions change: {now} instead of {before}; {base} judges this change',
    suppression: 'a new suppression accepts {given}: it has no effect before it is in {base}',
    longer:
      'the suppression of {given} runs until {now} instead of {before}: that has no effect before it is in {base}',
    baseline:
      'the baseline accepts {count} more ({given}): that has no effect before it is in {base}',
    packRemoved: 'the pack {given} is gone; its rules of {base} judge this change',
    packSettings: 'the settings of the pack {given} change; its rules of {base} judge this change',
    packRules: 'the rules of the pack {given} change; those of {base} judge this change',
    packPackages:
      'the pack {given} imports packages that are not pinned, and {file} may install others: add integrity to the pack in {base}',
    include: 'the policy {given} is no longer included; {base} judges this change',
    moved: 'the policy is {now} instead of {before}; {base} judges this change',
    gone: 'the policy {given} is gone; {base} judges this change',
  },
});

export const suppressionExpired = defineRule({
  id: 'suppression-expired',
  title: 'A suppression has not expired.',
  why: 'A finding accepted until a date would be accepted for ever.',
  severity: 'error',
  source: 'suppressions',
  sections: [],
  messages: {
    expired:
      'this suppression of {given} ended on {until}: correct the finding, or extend the suppression',
  },
});

export const suppressionIncomplete = defineRule({
  id: 'suppression-incomplete',
  title: 'A suppression names a rule, a reason, an owner and an end date.',
  why: 'Later, no one would know whether it can be removed.',
  severity: 'warning',
  source: 'suppressions',
  sections: [],
  messages: {
    rule: 'the suppression names no rule: write # castellan-ignore RULE reason="…" owner=… until=YYYY-MM-DD',
    noSuchRule: 'there is no rule "{given}"{hint}',
    reason: 'the suppression of {given} has no reason and accepts nothing: add {missing}',
    until: '"{until}" is not a day such as 2027-01-31',
    owner: 'the suppression of {given} has no owner: add {missing}',
    noEnd: 'the suppression of {given} has no end: add until=YYYY-MM-DD',
    locked: '{given} is locked by the policy: no suppression accepts it; remove this one',
    tooLong:
      'the suppression of {given} runs until {until} and accepts nothing: the policy allows {longest} from today; write a day up to {latest}',
    approval:
      'the suppression of {given} accepts nothing: the policy wants {owners} alone to own its file in CODEOWNERS, where any one owner may approve, and {file} belongs to {has}',
  },
});

export const suppressionUnused = defineRule({
  id: 'suppression-unused',
  title: 'A suppression matches a finding.',
  why: 'An unused suppression would hide the next mistake.',
  severity: 'warning',
  source: 'suppressions',
  sections: [],
  messages: { unused: 'this suppression of {given} matches no finding; remove it' },
});
