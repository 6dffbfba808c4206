import { useEffect, useState } from 'preact/hooks';
import type { ServiceCall } from '../activity.js';
import type { FindingView } from '../findings.js';
import type { ConsoleData } from '../console-data.js';

/** The picture of a stack, drawn by the sandbox. */
export interface StackPicture {
  readonly name: string;
  readonly svg: string;
}

/** The data of the pages; undefined until it has arrived. */
export interface ConsoleState {
  /** The content of the services when it was last read. */
  readonly consoleData: ConsoleData | undefined;
  readonly pictures: readonly StackPicture[] | undefined;
  readonly findings: readonly FindingView[] | undefined;
  /** The latest calls of the services, the last one last. */
  readonly calls: readonly ServiceCall[];
  /** Whether the stream of events is open, by which the page learns of changes. */
  readonly isLive: boolean;
  /** Why data could not be read. */
  readonly error: string | undefined;
  /** How often spans were added: a change means that traces should be read again. */
  readonly spanUpdates: number;
  /** Reads everything again. */
  readonly refresh: () => void;
}

/** How many calls the page keeps. */
const maxCalls = 1_500;
/** How long the page waits for more changes before it reads everything again. */
const refreshDelayMs = 600;

/** The data of the sandbox, read again after each change of a service. */
export function useConsoleState(): ConsoleState {
  const [consoleData, setConsoleData] = useState<ConsoleData>();
  const [pictures, setPictures] = useState<readonly StackPicture[]>();
  const [findings, setFindings] = useState<readonly FindingView[]>();
  const [calls, setCalls] = useState<readonly ServiceCall[]>([]);
  const [spanUpdates, setSpanUpdates] = useState(0);
  const [isLive, setLive] = useState(false);
  const [error, setError] = useState<string>();

  const refresh = (): void => {
    const read = <T>(path: string, set: (value: T) => void): Promise<void> =>
      getJson<T>(path).then(set);
    Promise.all([
      read('api/snapshot', setConsoleData),
      read('api/graph', setPictures),
      read('api/findings', setFindings),
    ])
      .then(() => setError(undefined))
      .catch((reason: unknown) => setError(String(reason)));
  };
  useEffect(() => {
    refresh();
    getJson<readonly ServiceCall[]>('api/activity').then(setCalls, (reason: unknown) =>
      setError(String(reason)),
    );
    const events = new EventSource('api/events');
    let timer: ReturnType<typeof setTimeout> | undefined;
    const refreshLater = (): void => {
      clearTimeout(timer);
      timer = setTimeout(refresh, refreshDelayMs);
    };
    events.addEventListener('open', () => setLive(true));
    events.addEventListener('error', () => setLive(false));
    events.addEventListener('changed', refreshLater);
    events.addEventListener('spans', () => setSpanUpdates((count) => count + 1));
    events.addEventListener('call', ({ data }) => {
      const call = JSON.parse(data as string) as ServiceCall;
      setCalls((previous) => [...previous, call].slice(-maxCalls));
      if (call.method !== 'GET') refreshLater();
    });
    return () => {
      clearTimeout(timer);
      events.close();
    };
  }, []);
  return { calls, spanUpdates, isLive, refresh, consoleData, pictures, findings, error };
}

/** Sends a change to the sandbox. @returns the error message; undefined if it was made. */
export async function sendChange(
  path: string,
  body: object = {},
  method: 'POST' | 'PATCH' | 'DELETE' = 'POST',
): Promise<string | undefined> {
  const headers = { 'content-type': 'application/json' };
  const answer = await send(path, { method, headers, body: JSON.stringify(body) });
  if (typeof answer === 'string') return answer;
  return answer.ok ? undefined : errorMessageOf(answer);
}

/** Reads data of the sandbox. @throws Error with a message when it refuses or does not answer */
export async function getJson<T>(path: string): Promise<T> {
  const answer = await send(path);
  if (typeof answer === 'string') throw new Error(answer);
  if (!answer.ok) throw new Error(await errorMessageOf(answer));
  return (await answer.json()) as T;
}

/** Sends a request. @returns the message of the error where there is no answer */
function send(path: string, init?: RequestInit): Promise<Response | string> {
  return fetch(path, init).catch(() => 'The sandbox does not answer: castellan status tells more.');
}

async function errorMessageOf(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string } };
    if (error?.message !== undefined) return error.message;
  } catch {
    // no JSON of the sandbox, such as a proxy's page: the message below has its status
  }
  return `the sandbox answered ${answer.status}: ${text.slice(0, 200)}`;
}
