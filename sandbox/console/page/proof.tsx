import { useEffect, useState } from 'preact/hooks';
import type { AccessProof } from '../../explanation/access-proof.js';
import type { ConsoleData } from '../console-data.js';
import { pageAddress, hypotheticalPerson } from './router.js';
import { getJson } from './state.js';

/** The rule with which the form starts. */
const guestRule = 'user.userType -eq "Guest"';
const verdictMarks = { nobody: '✓', somebody: '!', unknown: '?' } as const;

/** A form that asks whether anybody who matches a rule can get into an app, and the answer. */
export function Proof({ app, consoleData }: { app: string; consoleData: ConsoleData }) {
  const [rule, setRule] = useState(guestRule);
  const [proof, setProof] = useState<AccessProof>();
  const [problem, setProblem] = useState<string>();
  const { groups } = consoleData;
  useEffect(() => {
    let isLatest = true; // an answer for an earlier rule may arrive after that for the present one
    getJson<AccessProof>(`api/proof?${new URLSearchParams({ app, rule }).toString()}`).then(
      (value) => {
        if (!isLatest) return;
        setProof(value);
        setProblem(undefined);
      },
      ({ message }: Error) => {
        if (isLatest) setProblem(message);
      },
    );
    return () => {
      isLatest = false;
    };
  }, [app, rule, groups]); // the proof depends on the directory's groups
  return (
    <section class="proof" aria-label="All who may exist">
      <h2>All who may exist</h2>
      <form class="row" onSubmit={(event) => event.preventDefault()}>
        <label>
          Does anybody get in who matches this rule?
          <input
            class="rule"
            value={rule}
            spellcheck={false}
            onChange={({ currentTarget }) => setRule(currentTarget.value)}
          />
        </label>
      </form>
      {problem !== undefined && <p class="error">{problem}</p>}
      {problem === undefined && proof !== undefined && <Verdict app={app} proof={proof} />}
    </section>
  );
}

function Verdict({
  app,
  proof: { verdict, text, attributes: exampleFields, path: examplePath, ways },
}: {
  app: string;
  proof: AccessProof;
}) {
  return (
    <>
      <p class={`proved ${verdict}`}>
        <span class="mark" aria-hidden="true">
          {verdictMarks[verdict]}
        </span>
        <span>{verdict === 'somebody' ? `Yes: ${text}.` : text}</span>
        {exampleFields !== undefined && (
          <a
            class="button quiet"
            href={pageAddress('simulator', app, {
              person: hypotheticalPerson,
              path: examplePath,
              ...exampleFields,
            })}
          >
            Show the steps
          </a>
        )}
      </p>
      <p class="note">The ways in:</p>
      <ul class="plain">
        {ways.map((way) => (
          <li key={way}>{way}</li>
        ))}
      </ul>
    </>
  );
}
