import { useEffect, useState } from 'preact/hooks';
import type { SandboxConditions } from '../conditions.js';
import { act, getJson } from './state.js';

/** How often the time is read. */
const everyMilliseconds = 5_000;

/** The sandbox's time, and a switch for the faults that it plays. */
export function ShownConditions({ refreshed }: { readonly refreshed: unknown }) {
  const [conditions, setConditions] = useState<SandboxConditions>();
  const [refused, setRefused] = useState<string>();
  const read = (): void => {
    // the header says by itself when the sandbox does not answer
    getJson<SandboxConditions>('api/conditions').then(setConditions, () =>
      setConditions(undefined),
    );
  };
  useEffect(read, [refreshed]);
  useEffect(() => {
    const timer = setInterval(read, everyMilliseconds);
    return () => clearInterval(timer);
  }, []);
  if (conditions === undefined) return null;
  const { clock, faults, presets } = conditions;
  const played = faults.faults.length === 0 ? 'off' : (faults.name ?? 'own');
  const play = (preset: string): void => {
    void act('api/faults', { preset }).then((reason) => {
      setRefused(reason);
      read();
    });
  };
  return (
    <div class="conditions">
      <p>
        <time dateTime={clock.now}>{clock.now.slice(0, 16).replace('T', ' ')} UTC</time>
        {clock.aheadSeconds > 0 && <strong> {aheadText(clock.aheadSeconds)} ahead</strong>}
      </p>
      <label>
        Faults
        <select value={played} onChange={({ currentTarget: { value } }) => play(value)}>
          <option value="off">none</option>
          {played === 'own' && <option value="own">of a file</option>}
          {presets.map(({ name, summary }) => (
            <option key={name} value={name} title={summary}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {refused !== undefined && <p role="alert">{refused}</p>}
    </div>
  );
}

function aheadText(seconds: number): string {
  const [size, unit] =
    seconds >= 86_400 ? [86_400, 'day'] : seconds >= 3_600 ? [3_600, 'hour'] : [60, 'minute'];
  const count = Math.max(1, Math.round(seconds / size));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
