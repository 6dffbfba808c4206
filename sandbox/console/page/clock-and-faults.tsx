import { useEffect, useState } from 'preact/hooks';
import type { SandboxConditions } from '../conditions.js';
import { sendChange, getJson } from './state.js';

/** How often the time is read. */
const readIntervalMs = 5_000;

/**
 * The sandbox's time, and a choice of the faults to inject; read again when `refreshKey` changes.
 */
export function ClockAndFaults({ refreshKey }: { readonly refreshKey: unknown }) {
  const [conditions, setConditions] = useState<SandboxConditions>();
  const [error, setError] = useState<string>();
  const readConditions = (): void => {
    // the header shows elsewhere that the sandbox does not answer
    getJson<SandboxConditions>('api/conditions').then(setConditions, () =>
      setConditions(undefined),
    );
  };
  useEffect(readConditions, [refreshKey]);
  useEffect(() => {
    const timer = setInterval(readConditions, readIntervalMs);
    return () => clearInterval(timer);
  }, []);
  if (conditions === undefined) return null;
  const { clock, faults, presets } = conditions;
  const selectedPreset = faults.faults.length === 0 ? 'off' : (faults.name ?? 'own');
  const choose = (preset: string): void => {
    void sendChange('api/faults', { preset }).then((reason) => {
      setError(reason);
      readConditions();
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
        <select value={selectedPreset} onChange={({ currentTarget: { value } }) => choose(value)}>
          <option value="off">none</option>
          {selectedPreset === 'own' && <option value="own">of a file</option>}
          {presets.map(({ name, summary }) => (
            <option key={name} value={name} title={summary}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {error !== undefined && <p role="alert">{error}</p>}
    </div>
  );
}

/** The units of a time span, in seconds, the largest first. */
const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

/** A time span in its largest unit: `3 days`. */
function aheadText(seconds: number): string {
  const [size, unit] = units.find(([unitSeconds]) => seconds >= unitSeconds) ?? units[2];
  const count = Math.max(1, Math.round(seconds / size));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
