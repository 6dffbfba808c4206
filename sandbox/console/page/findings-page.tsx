import { useState } from 'preact/hooks';
import type { FindingView } from '../findings.js';
import { timeOfDay } from './time-text.js';
import { sendChange } from './state.js';
import { Code } from './elements.js';

/** The findings of `castellan check` in the present files, with their fixes. */
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
  const applyFix = async ({ fingerprint, place = '', fix }: FindingView): Promise<void> => {
    const error = await sendChange(`api/findings/${encodeURIComponent(fingerprint)}/fix`);
    const writtenText = `Written to ${place.split(':')[0] ?? ''}: ${fix?.description ?? ''}.`;
    setResult(error ?? `${writtenText} castellan up applies it.`);
    refresh();
  };
  const openFindings = (findings ?? [])
    .filter(({ verdict }) => verdict !== 'pass')
    .toSorted((a, b) => rankOf(a) - rankOf(b));
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
      {findings !== undefined && openFindings.length === 0 && (
        <p class="empty">Nothing was found.</p>
      )}
      <ol class="findings">
        {groupIntoCards(openFindings).map(([finding, ...otherFindings]) => (
          <Finding
            key={`${finding.fingerprint} ${finding.place ?? ''}`}
            {...{ finding, otherFindings, applyFix }}
          />
        ))}
      </ol>
    </>
  );
}

/** The kinds of findings, in the order in which they are shown. */
const kindOrder = ['error', 'warning', 'unknown', 'info'];

function rankOf({ verdict, severity }: FindingView): number {
  return kindOrder.indexOf(verdict === 'unknown' ? 'unknown' : severity);
}

/** Up to this many findings of one rule have a card each; more share one. */
const maxOwnCards = 2;

/** Findings by the card that shows them: one each, or all of the same rule and verdict. */
function groupIntoCards(
  findings: readonly FindingView[],
): readonly (readonly [FindingView, ...FindingView[]])[] {
  const byRule = new Map<string, [FindingView, ...FindingView[]]>();
  for (const finding of findings) {
    const key = `${finding.rule} ${finding.verdict}`;
    const findingsOfRule = byRule.get(key);
    if (findingsOfRule === undefined) byRule.set(key, [finding]);
    else findingsOfRule.push(finding);
  }
  return [...byRule.values()].flatMap((findingsOfRule) =>
    findingsOfRule.length > maxOwnCards
      ? [findingsOfRule]
      : findingsOfRule.map((each): [FindingView] => [each]),
  );
}

function Finding({
  finding,
  otherFindings,
  applyFix,
}: {
  finding: FindingView;
  /** The other findings of the card. */
  otherFindings: readonly FindingView[];
  applyFix: (finding: FindingView) => Promise<void>;
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
      {finding.fix !== undefined && <Fix finding={finding} applyFix={applyFix} />}
      {otherFindings.length > 0 && (
        <details>
          <summary>{otherFindings.length} more of this rule</summary>
          <ul class="more">
            {otherFindings.map((other) => (
              <li key={`${other.fingerprint} ${other.place ?? ''}`}>
                <a class="line" href={other.editor}>
                  {other.place}
                </a>{' '}
                {other.message}
                {other.fix !== undefined && <Fix finding={other} applyFix={applyFix} />}
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

/** The lines that a fix changes; one that may let people in is applied after a confirmation only. */
function Fix({
  finding,
  applyFix,
}: {
  finding: FindingView;
  applyFix: (finding: FindingView) => Promise<void>;
}) {
  const { description = '', diff, mayWiden = false } = finding.fix ?? {};
  const apply = (): void => {
    if (!mayWiden || confirm(`${description}: this may let people in. Write it?`))
      void applyFix(finding);
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
