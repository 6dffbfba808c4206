import { useEffect, useState } from 'preact/hooks';
import type { Activity } from '../activity.js';
import type { FindingView } from '../findings.js';
import type { Snapshot } from '../console-data.js';

/** A stack's diagram. */
export interface Picture {
  readonly name: string;
  readonly svg: string;
}

/** The data of the pages; undefined until it has arrived. */
export interface ConsoleState {
  readonly snapshot: Snapshot | undefined;
  readonly pictures: readonly Picture[] | undefined;
  readonly findings: readonly FindingView[] | undefined;
  readonly calls: readonly Activity[];
  readonly live: boolean;
  readonly error: string | undefined;
  /** Counts the additions of spans. */
  readonly spans: number;
  /** Reads everything again. */
  readonly refresh: () => void;
}

/** How many calls the page keeps, and how long it waits for more changes before it reads again. */
const limits = { calls: 1_500, quietMilliseconds: 600 };

/** The state of the sandbox, read again after each change of a service. */
export function useConsole(): ConsoleState {
  const [snapshot, setSnapshot] = useState<Snapshot>();
  const [pictures, setPictures] = useState<readonly Picture[]>();
  const [findings, setFindings] = useState<readonly FindingView[]>();
  const [calls, setCalls] = useState<readonly Activity[]>([]);
  const [spans, setSpans] = useState(0);
  const [live, setLive] = useState(false);
  const [error, setError] = useState<string>();

  const refresh = (): void => {
    const part = <T>(path: string, set: (value: T) => void): Promise<void> =>
      getJson<T>(path).then(set);
    Promise.all([
      part('api/snapshot', setSnapshot),
      part('api/graph', setPictures),
      part('api/findings', setFindings),
    ])
      .then(() => setError(undefined))
      .catch((reason: unknown) => setError(String(reason)));
  };
  useEffect(() => {
    refresh();
    getJson<readonly Activity[]>('api/activity').then(setCalls, (reason: unknown) =>
      setError(String(reason)),
    );
    const events = new EventSource('api/events');
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (): void => {
      clearTimeout(timer);
      timer = setTimeout(refresh, limits.quietMilliseconds);
    };
    events.addEventListener('open', () => setLive(true));
    events.addEventListener('error', () => setLive(false));
    events.addEventListener('changed', later);
    events.addEventListener('spans', () => setSpans((count) => count + 1));
    events.addEventListener('call', ({ data }) => {
      const call = JSON.parse(data as string) as Activity;
      setCalls((known) => [...known, call].slice(-limits.calls));
      if (call.method !== 'GET') later();
    });
    return () => {
      clearTimeout(timer);
      events.close();
    };
  }, []);
  return { calls, spans, live, refresh, snapshot, pictures, findings, error };
}

/** Sends an action to the sandbox. @returns why it was refused; undefined if it was done. */
export async function act(
  path: string,
  body: object = {},
  method: 'POST' | 'PATCH' | 'DELETE' = 'POST',
): Promise<string | undefined> {
  const answer = await fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.ok ? undefined : refusalOf(answer);
}

/** Reads data of the sandbox. @throws Error with the sandbox's message when it refuses */
export async function getJson<T>(path: string): Promise<T> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(await refusalOf(answer));
  return (await answer.json()) as T;
}

async function refusalOf(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string } };
    if (error?.message !== undefined) return error.message;
  } catch {
    // a page of something between: its status says more
  }
  return `the sandbox answered ${answer.status}: ${text.slice(0, 200)}`;
}
