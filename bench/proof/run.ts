import { parseMembershipRule } from '../../kinds/membership-rule/index.js';
import { RuleProver } from '../../kinds/membership-rule/prove/index.js';

/** The longest rule that the directory accepts, in characters. */
const maxRuleLength = 3_072;

/** A rule of many clauses, as long as the directory permits. */
function longRule(clause: (number: number) => string, join: string): string {
  let text = clause(0);
  for (let number = 1; ; number++) {
    const next = `${text} ${join} ${clause(number)}`;
    if (next.length > maxRuleLength) return text;
    text = next;
  }
}

function parseRule(text: string) {
  const { rule, error } = parseMembershipRule(text);
  if (rule === undefined) throw new Error(error.message);
  return rule;
}

/** The changes of a rule to prove about. */
const changes: readonly (readonly [name: string, before: string, after: string])[] = [
  [
    'equalities, one changed',
    longRule((n) => `user.department -eq "Dept ${String(n)}"`, '-or'),
    longRule((n) => `user.department -eq "Dept ${n === 40 ? 'x' : String(n)}"`, '-or'),
  ],
  [
    'contains, one added',
    longRule((n) => `user.department -contains "Part ${String(n)} of"`, '-or'),
    longRule((n) => `user.department -contains "Part ${n === 30 ? 'x' : String(n)} of"`, '-or'),
  ],
  [
    'pairs of department and title, reordered',
    longRule(
      (n) => `(user.department -eq "D${String(n)}" -and user.jobTitle -eq "T${String(n)}")`,
      '-or',
    ),
    longRule(
      (n) => `(user.jobTitle -eq "T${String(n)}" -and user.department -eq "D${String(n)}")`,
      '-or',
    ),
  ],
  [
    'different texts in different attributes',
    longRule(
      (n) => `user.extensionAttribute${String((n % 15) + 1)} -contains "x${String(n)}"`,
      '-or',
    ),
    longRule(
      (n) => `user.extensionAttribute${String((n % 15) + 1)} -startsWith "x${String(n)}"`,
      '-or',
    ),
  ],
  [
    'patterns',
    longRule((n) => `user.mail -match "^[a-z]+${String(n)}@contoso\\.example$"`, '-or'),
    longRule((n) => `user.mail -match "[a-z]+${String(n)}@contoso\\.example"`, '-or'),
  ],
  [
    'all must be contained',
    longRule((n) => `user.department -contains "p${String(n)}"`, '-and'),
    longRule((n) => `user.department -contains "q${String(n)}"`, '-and'),
  ],
  [
    'a list, one added',
    `user.department -in [${Array.from({ length: 400 }, (_, n) => `"d${String(n)}"`).join(',')}]`,
    `user.department -in [${Array.from({ length: 401 }, (_, n) => `"d${String(n)}"`).join(',')}]`,
  ],
  [
    'ten clauses',
    longRule((n) => `user.department -eq "Dept ${String(n)}"`, '-or')
      .split(' -or ')
      .slice(0, 10)
      .join(' -or '),
    longRule((n) => `user.department -startsWith "Dept ${String(n)}"`, '-or')
      .split(' -or ')
      .slice(0, 10)
      .join(' -or '),
  ],
];
for (const round of [1, 2])
  for (const [name, before, after] of changes) {
    const started = performance.now();
    const prover = new RuleProver({ now: Date.UTC(2026, 0) });
    const gain = prover.findOnlyIn(parseRule(after), parseRule(before));
    const loss = prover.findOnlyIn(parseRule(before), parseRule(after));
    const took = performance.now() - started;
    console.log(
      `${String(round)} ${name} (${String(before.length)}, ${String(after.length)}): ${took.toFixed(1)} ms, gain ${gain.verdict} ${JSON.stringify(gain.example ?? gain.why)}, loss ${loss.verdict} ${JSON.stringify(loss.example ?? loss.why)}, ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`,
    );
  }
