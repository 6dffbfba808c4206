import { useEffect, useRef } from 'preact/hooks';
import { ClockAndFaults } from './clock-and-faults.js';
import { Finder } from './finder.js';
import type { ConsoleState } from './state.js';

/** The pages, in groups with a heading: their paths and labels. */
const pageGroups = [
  ['', [['', 'Overview']]],
  [
    'Who gets in',
    [
      ['simulator', 'Simulator'],
      ['container-apps', 'Apps'],
      ['groups', 'Groups'],
      ['people', 'People'],
    ],
  ],
  [
    'What happens',
    [
      ['activity', 'Activity'],
      ['traces', 'Requests'],
      ['logs', 'Logs'],
    ],
  ],
  [
    'What there is',
    [
      ['registrations', 'Registrations'],
      ['items', 'Items'],
      ['billing', 'Billing'],
      ['findings', 'Findings'],
    ],
  ],
] as const;

/** The pages at the side; behind a button where the window is narrow. */
export function Navigation({
  section,
  title,
  state,
}: {
  section: string;
  title: string;
  state: ConsoleState;
}) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (menu.current !== null) menu.current.open = false;
  }, [section]);
  const list = (
    <nav aria-label="Console">
      {pageGroups.map(([heading, links]) => (
        <div key={heading}>
          {heading !== '' && <p>{heading}</p>}
          <ul>
            {links.map(([path, label]) => (
              <li key={path}>
                <a href={`#/${path}`} aria-current={path === section ? 'page' : undefined}>
                  {label}
                  {path === 'findings' && <FindingsBadge state={state} />}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
  return (
    <header>
      <p class="brand">
        <a href="#/">
          <TowerIcon />
          Castellan
        </a>
      </p>
      <details class="menu" ref={menu}>
        <summary>{title}</summary>
        {list}
      </details>
      <Finder state={state} />
      <div class="side">{list}</div>
      <ClockAndFaults refreshKey={state.consoleData} />
      <ConnectionStatus state={state} />
    </header>
  );
}

/** The icon of the brand: a tower. */
function TowerIcon() {
  return (
    <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true">
      <path
        fill="currentColor"
        d="M2 1h3v2h1.5V1h3v2H11V1h3v5l-1.5 1.5V15h-3v-3a1.5 1.5 0 0 0-3 0v3h-3V7.5L2 6z"
      />
    </svg>
  );
}

function ConnectionStatus({ state: { isLive, consoleData } }: { state: ConsoleState }) {
  if (isLive)
    return (
      <p class="live" role="status">
        live
      </p>
    );
  return (
    <p class={consoleData === undefined ? 'live waiting' : 'live off'} role="status">
      {consoleData === undefined ? 'connecting' : 'connecting again'}
    </p>
  );
}

/** How many findings are failures above the severity info. */
function FindingsBadge({ state: { findings } }: { state: ConsoleState }) {
  const failures = (findings ?? []).filter(
    ({ verdict, severity }) => verdict === 'fail' && severity !== 'info',
  );
  if (failures.length === 0) return null;
  return (
    <span class={failures.some(({ severity }) => severity === 'error') ? 'badge' : 'badge warn'}>
      {failures.length}
      <span class="hidden"> open</span>
    </span>
  );
}
