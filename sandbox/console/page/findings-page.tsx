import { useState } from 'preact/hooks';
import type { FindingView } from '../findings.js';
import { timeOfDay } from './time-text.js';
import { act } from './state.js';
import { Code } from './elements.js';

/** What `castellan check` finds in the files as they are now. */
export function FindingsPage({
  findings,
  refresh,
}: {
  findings: readonly FindingView[] | undefined;
  refresh: () => void;
}) {
  const [result, setResult] = useState<string>();
  const check = (): void => {
    setResult(`Checked at ${timeOfDay(Date.now())} UTC.`);
    refresh();
  };
  const fix = async ({ fingerprint, place = '', fix: change }: FindingView): Promise<void> => {
    const refused = await act(`api/findings/${encodeURIComponent(fingerprint)}/fix`);
    const done = `Written to ${place.split(':')[0] ?? ''}: ${change?.description ?? ''}.`;
    setResult(refused ?? `${done} castellan up applies it.`);
    refresh();
  };
  const open = (findings ?? [])
    .filter(({ verdict }) => verdict !== 'pass')
    .toSorted((a, b) => weightOf(a) - weightOf(b));
  return (
    <>
      <h1>Findings</h1>
      <p class="actions">
        <button type="button" onClick={check}>
          Check again
        </button>
        <span role="status">{result}</span>
      </p>
      {findings === undefined && <p class="loading">Checking…</p>}
      {findings !== undefined && open.length === 0 && <p class="empty">Nothing was found.</p>}
      <ol class="findings">
        {cardsOf(open).map(([finding, ...others]) => (
          <Finding
            key={`${finding.fingerprint} ${finding.place ?? ''}`}
            {...{ finding, others, fix }}
          />
        ))}
      </ol>
    </>
  );
}

const order = ['error', 'warning', 'unknown', 'info'];

function weightOf({ verdict, severity }: FindingView): number {
  return order.indexOf(verdict === 'unknown' ? 'unknown' : severity);
}

/** How many findings of one rule have a card each. */
const few = 2;

/** Each finding by itself, or with those of the same rule where there are many. */
function cardsOf(
  findings: readonly FindingView[],
): readonly (readonly [FindingView, ...FindingView[]])[] {
  const byRule = new Map<string, [FindingView, ...FindingView[]]>();
  for (const finding of findings) {
    const key = `${finding.rule} ${finding.verdict}`;
    const same = byRule.get(key);
    if (same === undefined) byRule.set(key, [finding]);
    else same.push(finding);
  }
  return [...byRule.values()].flatMap((same) =>
    same.length > few ? [same] : same.map((each): [FindingView] => [each]),
  );
}

function Finding({
  finding,
  others,
  fix,
}: {
  finding: FindingView;
  others: readonly FindingView[];
  fix: (finding: FindingView) => Promise<void>;
}) {
  const { rule, page, why, severity, verdict, message, place, editor, frame } = finding;
  const kind = verdict === 'unknown' ? 'unknown' : severity;
  return (
    <li class={kind}>
      <p>
        <span class="severity">{kind}</span> {message}
      </p>
      <p class="facts">
        {place !== undefined && (
          <a class="line" href={editor}>
            {place}
          </a>
        )}
        {page === undefined ? (
          rule
        ) : (
          <a href={page} target="_blank" rel="noreferrer">
            {rule}
          </a>
        )}
      </p>
      {frame !== undefined && <Code text={frame} />}
      {finding.fix !== undefined && <Fix finding={finding} fix={fix} />}
      {others.length > 0 && (
        <details>
          <summary>{others.length} more of this rule</summary>
          <ul class="more">
            {others.map((other) => (
              <li key={`${other.fingerprint} ${other.place ?? ''}`}>
                <a class="line" href={other.editor}>
                  {other.place}
                </a>{' '}
                {other.message}
                {other.fix !== undefined && <Fix finding={other} fix={fix} />}
              </li>
            ))}
          </ul>
        </details>
      )}
      {why !== undefined && (
        <details>
          <summary>Why</summary>
          <p class="note">{why}</p>
        </details>
      )}
    </li>
  );
}

/** What a fix changes; one that may let people in is applied after a question only. */
function Fix({
  finding,
  fix,
}: {
  finding: FindingView;
  fix: (finding: FindingView) => Promise<void>;
}) {
  const { description = '', diff, mayWiden = false } = finding.fix ?? {};
  const apply = (): void => {
    if (!mayWiden || confirm(`${description}: this may let people in. Write it?`))
      void fix(finding);
  };
  return (
    <>
      <p class="fix">
        <span>
          <b>Fix:</b> {description}
          {mayWiden && ' (it may let people in)'}
        </span>
        {diff !== undefined && (
          <button type="button" class={mayWiden ? 'quiet' : ''} onClick={apply}>
            Apply
          </button>
        )}
      </p>
      {diff !== undefined && (
        <pre class="diff" tabIndex={0}>
          {diff.split('\n').map((line) => (
            <span key={line} class={/^\d+ \+/.test(line) ? 'added' : 'removed'}>
              {line}
              {'\n'}
            </span>
          ))}
        </pre>
      )}
    </>
  );
}
