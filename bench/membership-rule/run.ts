import { parseMembershipRule } from '../../kinds/membership-rule/index.js';
import {
  compileMembershipRule,
  type EvaluatedObject,
} from '../../services/directory/membership-rule/index.js';

/** The goal: a million evaluations a minute. */
const minPerSecond = 1_000_000 / 60;
/** How long each rule is evaluated before it is measured, and then while it is. */
const seconds = { warmUp: 0.3, measured: 1 };

const rules = [
  'user.department -eq "Sales"',
  '(user.department -in ["Sales","Ops"]) -and (user.accountEnabled -eq true)',
  '(user.mail -endsWith "@contoso.com") -or (user.displayName -contains "ada") -and -not (user.city -eq null)',
  'user.otherMails -any (_ -startsWith "a" -and _ -endsWith ".org")',
  'user.assignedPlans -any (assignedPlan.servicePlanId -eq "p2" -and assignedPlan.capabilityStatus -eq "Enabled")',
  'user.employeeHireDate -ge system.now -minus p30d',
  'user.jobTitle -match "^(senior|lead).*engineer( [0-9]{1,3})?$"',
];

const people: readonly EvaluatedObject[] = Array.from({ length: 1000 }, (_, index) => ({
  id: `0000${index}`,
  body: {
    department: ['Sales', 'Finance', 'Ops', 'Legal'][index % 4],
    displayName: `Person ${index}`,
    mail: `person${index}@${index % 3 === 0 ? 'contoso.com' : 'fabrikam.com'}`,
    accountEnabled: index % 5 !== 0,
    city: index % 2 === 0 ? 'Rome' : null,
    otherMails: [`${index % 2 === 0 ? 'a' : 'c'}${index}@x.org`, `b${index}@y.net`],
    assignedPlans: [{ servicePlanId: index % 2 === 0 ? 'p1' : 'p2', capabilityStatus: 'Enabled' }],
    employeeHireDate: index % 2 === 0 ? '2026-01-01T00:00:00Z' : '2020-01-01T00:00:00Z',
    jobTitle: index % 3 === 0 ? `Senior Software Engineer ${index}` : 'Accountant',
  },
}));

/**
 * Evaluates a rule for the people, over and over.
 *
 * @throws Error where it selects everybody or nobody: then it would not be decided by its clauses
 */
function evaluationsPerSecond(text: string): number {
  const { rule, error } = parseMembershipRule(text);
  if (!rule) throw new Error(`${text}: ${error.message}`);
  const compiled = compileMembershipRule(rule);
  const context = { now: Date.parse('2026-01-15T00:00:00Z') };
  const countMatches = (): number =>
    people.reduce((count, person) => count + (compiled.matches(person, context) ? 1 : 0), 0);
  const matched = countMatches();
  if (matched === 0 || matched === people.length)
    throw new Error(`${text} selects ${String(matched)} of ${String(people.length)} people`);
  const measure = (duration: number): number => {
    let evaluations = 0;
    const begin = performance.now();
    while (performance.now() - begin < duration * 1000) {
      countMatches();
      evaluations += people.length;
    }
    return Math.round((evaluations / (performance.now() - begin)) * 1000);
  };
  measure(seconds.warmUp);
  return measure(seconds.measured);
}

for (const rule of rules) {
  const perSecond = evaluationsPerSecond(rule);
  process.stdout.write(`${String(perSecond).padStart(12)} evaluations/s  ${rule}\n`);
  if (perSecond >= minPerSecond) continue;
  process.stderr.write(`below the goal of ${Math.ceil(minPerSecond)} a second: ${rule}\n`);
  process.exitCode = 1;
}
