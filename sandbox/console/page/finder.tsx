import { useEffect, useRef, useState } from 'preact/hooks';
import { pageAddress } from './router.js';
import type { ConsoleState } from './state.js';

interface Hit {
  readonly name: string;
  /** What it is, for people: `app`, `person`, `page`, `finding`. */
  readonly kind: string;
  readonly href: string;
}

/** How many hits are shown. */
const maxHits = 12;

/** A dialog that finds objects by their names; opened by a button, Ctrl+K, or Cmd+K. */
export function Finder({ state }: { state: ConsoleState }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [search, setSearch] = useState('');
  const open = (): void => {
    setSearch('');
    dialog.current?.showModal();
  };
  const close = (): void => dialog.current?.close();
  useEffect(() => {
    const openByKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', openByKey);
    return () => removeEventListener('keydown', openByKey);
  }, []);
  const words = search.trim().toLowerCase().split(/\s+/);
  const hits = searchableEntries(state)
    .filter(({ name, kind }) =>
      words.every((word) => `${name} ${kind}`.toLowerCase().includes(word)),
    )
    .slice(0, maxHits);
  return (
    <>
      <button type="button" class="find" onClick={open}>
        Find <kbd>Ctrl K</kbd>
      </button>
      <dialog
        ref={dialog}
        class="finder"
        aria-label="Find"
        onKeyDown={moveFocusByArrows}
        onClick={({ target }) => target === dialog.current && close()}
      >
        <form
          method="dialog"
          onSubmit={() => {
            const [first] = hits;
            if (first !== undefined) location.hash = first.href.slice(1);
          }}
        >
          <label>
            Find an app, group, person, item, finding or request
            <input
              type="search"
              value={search}
              onInput={({ currentTarget }) => setSearch(currentTarget.value)}
            />
          </label>
          <ul>
            {hits.map(({ name, kind, href }) => (
              <li key={`${kind} ${href} ${name}`}>
                <a href={href} onClick={close}>
                  <span>{name}</span> <span class="note">{kind}</span>
                </a>
              </li>
            ))}
          </ul>
          {hits.length === 0 && <p class="empty">No name matches.</p>}
        </form>
      </dialog>
    </>
  );
}

/** Moves the focus between the input and the hits by arrow keys. */
function moveFocusByArrows(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const dialog = event.currentTarget;
  if (step === undefined || !(dialog instanceof HTMLElement)) return;
  const elements = [...dialog.querySelectorAll<HTMLElement>('input, a')];
  const focusedIndex = elements.findIndex((element) => element === document.activeElement);
  elements[Math.max(0, Math.min(elements.length - 1, focusedIndex + step))]?.focus();
  event.preventDefault();
}

/** Everything that can be found: objects, pages, findings, and calls by their request ids. */
function searchableEntries({ consoleData, findings, calls }: ConsoleState): readonly Hit[] {
  if (consoleData === undefined) return [];
  const pages = ['simulator', 'activity', 'traces', 'logs', 'billing', 'findings', 'items'];
  return [
    ...consoleData.apps.map(({ name }) => ({
      name,
      kind: 'app',
      href: pageAddress('container-apps', name),
    })),
    ...consoleData.groups.map(({ id, name }) => ({
      name,
      kind: 'group',
      href: pageAddress('groups', id),
    })),
    ...consoleData.people.map(({ id, name, userPrincipalName }) => ({
      name: `${name} ${userPrincipalName}`,
      kind: 'person',
      href: pageAddress('people', id),
    })),
    ...consoleData.registrations.map(({ appId, name }) => ({
      name: `${name} ${appId}`,
      kind: 'registration',
      href: pageAddress('registrations', appId),
    })),
    ...consoleData.items.map(({ id, name, type }) => ({
      name,
      kind: type,
      href: pageAddress('items', id),
    })),
    ...pages.map((name) => ({ name, kind: 'page', href: pageAddress(name) })),
    ...(findings ?? [])
      .filter(({ verdict }) => verdict !== 'pass')
      .map(({ rule, message }) => ({
        name: `${rule}: ${message}`,
        kind: 'finding',
        href: pageAddress('findings'),
      })),
    ...calls.flatMap(({ id, requestId, method, path }) =>
      requestId === undefined
        ? []
        : [
            {
              name: `${requestId} ${method} ${path}`,
              kind: 'call',
              href: pageAddress('activity', String(id)),
            },
          ],
    ),
  ];
}
