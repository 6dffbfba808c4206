import { useState } from 'preact/hooks';
import type { ShownFinding } from '../project.js';
import { Code } from './table.js';

/** What `castellan check` finds in the files as they are now. */
export function FindingsPage({
  findings,
  refresh,
}: {
  findings: readonly ShownFinding[] | undefined;
  refresh: () => void;
}) {
  const [asked, setAsked] = useState<string>();
  const check = (): void => {
    setAsked(`checked at ${new Date().toLocaleTimeString()}`);
    refresh();
  };
  const open = (findings ?? []).filter(({ verdict }) => verdict !== 'pass');
  return (
    <>
      <h1>Findings</h1>
      <p class="actions">
        <button type="button" onClick={check}>
          Check again
        </button>
        <span role="status">{asked}</span>
      </p>
      {findings === undefined && <p class="loading">Checking…</p>}
      {findings !== undefined && open.length === 0 && <p class="empty">Nothing was found.</p>}
      <ol class="findings">
        {open.map(({ rule, severity, verdict, message, place, editor, frame, fix }, at) => (
          <li key={at} class={verdict === 'unknown' ? 'unknown' : severity}>
            <p>
              <span class="severity">{verdict === 'unknown' ? 'unknown' : severity}</span> {message}{' '}
              <span class="note">
                {rule}
                {place !== undefined && ', '}
                {place !== undefined && <a href={editor}>{place}</a>}
              </span>
            </p>
            {fix !== undefined && <p class="fix">Fix: {fix}</p>}
            {frame !== undefined && <Code text={frame} />}
          </li>
        ))}
      </ol>
    </>
  );
}
