import { useEffect, useRef, useState } from 'preact/hooks';
import { pageAddress } from './router.js';
import type { ConsoleState } from './state.js';

interface Hit {
  readonly name: string;
  readonly kind: string;
  readonly href: string;
}

const most = 12;

/** Finds everything by its name: Ctrl+K, or Cmd+K. */
export function Finder({ state }: { state: ConsoleState }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [search, setSearch] = useState('');
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setSearch('');
      dialog.current?.showModal();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  const words = search.trim().toLowerCase().split(/\s+/);
  const found = everything(state)
    .filter(({ name, kind }) =>
      words.every((word) => `${name} ${kind}`.toLowerCase().includes(word)),
    )
    .slice(0, most);
  const close = (): void => dialog.current?.close();
  return (
    <dialog ref={dialog} class="finder" aria-label="Find">
      <form
        method="dialog"
        onSubmit={() => {
          const [first] = found;
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
          {found.map(({ name, kind, href }) => (
            <li key={`${kind} ${href} ${name}`}>
              <a href={href} onClick={close}>
                {name} <span class="note">{kind}</span>
              </a>
            </li>
          ))}
        </ul>
        {found.length === 0 && <p class="empty">Nothing has such a name.</p>}
      </form>
    </dialog>
  );
}

function everything({ snapshot, findings, calls }: ConsoleState): readonly Hit[] {
  if (snapshot === undefined) return [];
  const pages = ['simulator', 'activity', 'traces', 'logs', 'billing', 'findings', 'items'];
  return [
    ...snapshot.apps.map(({ name }) => ({
      name,
      kind: 'app',
      href: pageAddress('container-apps', name),
    })),
    ...snapshot.groups.map(({ id, name }) => ({
      name,
      kind: 'group',
      href: pageAddress('groups', id),
    })),
    ...snapshot.people.map(({ id, name, userPrincipalName }) => ({
      name: `${name} ${userPrincipalName}`,
      kind: 'person',
      href: pageAddress('people', id),
    })),
    ...snapshot.registrations.map(({ appId, name }) => ({
      name: `${name} ${appId}`,
      kind: 'registration',
      href: pageAddress('registrations', appId),
    })),
    ...snapshot.items.map(({ id, name, type }) => ({
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
